"""Documents of several kinds: named by a tag, with free keys, or beside a value of another type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from atlas_rag.grammar.kit.bson_types import is_document, is_string
from atlas_rag.grammar.kit.documents import Document
from atlas_rag.grammar.kit.node import Node
from atlas_rag.grammar.kit.scalars import Enum
from atlas_rag.grammar.problem import At, Found, problem


class Tagged:
    """A document whose kind is named by one of its own fields.

    Args:
        tag: the field that names the kind.
        kinds: the grammar of each kind (without the tag).
        hidden: kinds that are accepted but not listed in refusals.
    """

    __slots__ = ("_enum", "_kinds", "_tag")

    def __init__(self, tag: str, kinds: Mapping[str, Document], *, hidden: Collection[str] = ()) -> None:
        self._tag, self._kinds = tag, dict(kinds)
        self._enum = Enum(*(name for name in kinds if name not in hidden), hidden=hidden)
        for kind in self._kinds.values():
            kind.names |= {tag}

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        name = value.get(self._tag)
        if name is None:
            found.append(problem((at, self._tag), "is required", "required"))
        elif is_string(name) and name in self._kinds:
            self._kinds[name].check(value, at, found)
        else:
            self._enum.check(name, (at, self._tag), found)


class MapOf:
    """A document with free keys whose values are all of one kind.

    Args:
        item: the kind of each value.
        empty: whether `{}` is accepted.
        null: what the engine says about a null value.
        key: further rule on a key, giving its complaint, or None.
    """

    __slots__ = ("_empty", "_item", "_key", "_null")

    def __init__(
        self,
        item: Node,
        *,
        empty: bool = True,
        null: str = "is required",
        key: Callable[[str], str | None] | None = None,
    ) -> None:
        self._item, self._empty, self._null, self._key = item, empty, null, key

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        if not value and not self._empty:
            found.append(problem(at, "cannot be empty", "empty-document"))
        for name, item in value.items():
            if item is None:
                found.append(problem((at, name), self._null, "required"))
            else:
                self._item.check(item, (at, name), found)
            complaint = self._key(name) if self._key is not None else None
            if complaint is not None:
                found.append(problem((at, name), complaint, "name"))


class DocumentOr:
    """A document, or a value of another kind; anything else is refused naming both.

    Args:
        fits: whether a value is of the other kind.
        other: the grammar of the other kind.
        document: the grammar of the document.
        words: how the engine names the two.
    """

    __slots__ = ("_complaint", "_document", "_fits", "_other")

    def __init__(self, fits: Callable[[Any], bool], other: Node, document: Node, words: str) -> None:
        self._fits, self._other, self._document = fits, other, document
        self._complaint = f"must be a {words}"

    def check(self, value: Any, at: At, found: Found) -> None:
        if self._fits(value):
            self._other.check(value, at, found)
        elif is_document(value):
            self._document.check(value, at, found)
        else:
            found.append(problem(at, self._complaint, "type"))
