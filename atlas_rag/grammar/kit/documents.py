"""Documents: fields in the order the engine reads them, groups that exclude each other, rules across fields.

    FUZZY = Document(
        field("maxEdits", Int32(EDITS)),
        field("prefixLength", Int32(NOT_NEGATIVE)),
    )

The engine stops at its first complaint; a check goes on and appends everything, first things first. A rule
across fields runs only where the fields themselves are sound. Unknown keys come last, as they do there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from atlas_rag.grammar.kit.bson_types import is_document, is_string
from atlas_rag.grammar.kit.node import Node
from atlas_rag.grammar.kit.scalars import Enum
from atlas_rag.grammar.problem import At, Found, Problem, problem

DocumentRule = Callable[[Mapping[str, Any], At, Found], None]


class Entry(Protocol):
    """A line of a document's grammar."""

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that this line knows."""

    @property
    def careful(self) -> bool:
        """Whether it is skipped after an earlier problem of the same document."""

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        """Append the problems of what this line describes."""


class Field:
    """One named field; null counts as absent."""

    __slots__ = ("careful", "name", "names", "node", "required")

    def __init__(self, name: str, node: Node, *, required: bool) -> None:
        self.name, self.node, self.required = name, node, required
        self.names, self.careful = (name,), False

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        value = document.get(self.name)
        if value is not None:
            self.node.check(value, (at, self.name), found)
        elif self.required:
            found.append(problem((at, self.name), "is required", "required"))


class NullableField(Field):
    """One named field whose null is a value like others."""

    __slots__ = ()

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        if self.name in document:
            self.node.check(document[self.name], (at, self.name), found)
        elif self.required:
            found.append(problem((at, self.name), "is required", "required"))


def field(name: str, node: Node) -> Field:
    """An optional field."""
    return Field(name, node, required=False)


def required(name: str, node: Node) -> Field:
    """A field that must be there and not null."""
    return Field(name, node, required=True)


def nullable(name: str, node: Node, *, required: bool = True) -> NullableField:
    """A field whose null is handed to its node instead of counting as absent."""
    return NullableField(name, node, required=required)


class Group:
    """Fields of which only so many may be given; each is read first, then they are counted."""

    __slots__ = ("_fields", "_least", "_listed", "_most", "_too_many", "careful", "names")

    def __init__(self, fields: tuple[Field, ...], *, least: int, most: int, too_many: str) -> None:
        self._fields, self._least, self._most, self._too_many = fields, least, most, too_many
        self.names, self.careful = tuple(one.name for one in fields), False
        self._listed = f"[{', '.join(self.names)}]"

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        count = 0
        for one in self._fields:
            value = document.get(one.name)
            if value is not None:
                count += 1
                one.node.check(value, (at, one.name), found)
        if count < self._least:
            quantity = "one" if self._most == 1 else "at least one"
            text = f"{quantity} of {self._listed} must be present"
            found.append(problem(at, text, "one-of", given=tuple(document), known=self.names))
        elif count > self._most:
            text = f"{self._too_many} one of {self._listed} may be present"
            found.append(problem(at, text, "one-of"))


def exactly_one(*fields: Field) -> Group:
    """One of the fields, and only one."""
    return Group(fields, least=1, most=1, too_many="only")


def at_most_one(*fields: Field) -> Group:
    """One of the fields, or none."""
    return Group(fields, least=0, most=1, too_many="at most")


def at_least_one(*fields: Field) -> Group:
    """One of the fields, or several."""
    return Group(fields, least=1, most=len(fields), too_many="")


class Rule:
    """A condition across fields, looked at when all that was read before is sound."""

    __slots__ = ("careful", "check", "names")

    def __init__(self, check: DocumentRule) -> None:
        self.check = check
        self.names: tuple[str, ...] = ()
        self.careful = True


class Document:
    """A document with exactly the keys that its entries name.

    Args:
        entries: fields, groups and rules in the engine's reading order.
        open: whether unknown keys are ignored instead of refused.
    """

    __slots__ = ("_steps", "names", "open")

    def __init__(self, *entries: Entry, open: bool = False) -> None:  # noqa: A002  the word of JSON schemas
        self._steps = tuple(_step(entry) for entry in entries)
        self.names = frozenset(name for entry in entries for name in entry.names)
        self.open = open

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        before = len(found)
        for name, check, required, entry in self._steps:
            if entry is not None:
                if not entry.careful or len(found) == before:
                    entry.check(value, at, found)
            elif (item := value.get(name)) is not None:
                check(item, (at, name), found)
            elif required:
                found.append(problem((at, name), "is required", "required"))
        if not (self.open or value.keys() <= self.names):
            found.append(unknown_fields(value, self.names, at))


def _step(entry: Entry) -> tuple[str, Callable[[Any, At, Found], None], bool, Entry | None]:
    """Plain fields are taken apart, so that reading one costs no call of its own."""
    if type(entry) is Field:
        return entry.name, entry.node.check, entry.required, None
    return "", _nothing, False, entry


def _nothing(value: Any, at: At, found: Found) -> None:
    """Stands where an entry has no node of its own."""


def unknown_fields(document: Mapping[str, Any], names: Collection[str], at: At) -> Problem:
    """The refusal of every key of a document that is not among the names."""
    unknown = [key for key in document if key not in names]
    if len(unknown) == 1:
        text = f'unrecognized field "{unknown[0]}"'
    else:
        quoted = ", ".join(f'"{key}"' for key in unknown)
        text = f"unrecognized fields [{quoted}]"
    absent = sorted(name for name in names if name not in document)
    return problem(at, text, "unknown-field", given=unknown, known=absent)


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
            complaint = self._key(name) if self._key is not None else None
            if complaint is not None:
                found.append(problem((at, name), complaint, "name"))
            elif item is None:
                found.append(problem((at, name), self._null, "required"))
            else:
                self._item.check(item, (at, name), found)


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
