"""Strings, booleans, enumerations."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from atlas_rag.grammar.kit.bson_types import is_string
from atlas_rag.grammar.problem import At, Found, problem


class Anything:
    """Any value at all; `null` where the field says that it sees null."""

    def check(self, value: Any, at: At, found: Found) -> None:
        """Accept."""


class Boolean:
    """`true` or `false`; nothing is coerced."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if type(value) is not bool:
            found.append(problem(at, "must be a boolean", "type"))


class Text:
    """A string.

    Args:
        empty: whether `""` is accepted.
        blank: whether a string of white space only is accepted.
        also: further rule, giving its complaint about the string, or None.
    """

    __slots__ = ("_also", "_blank", "_empty", "_plain")

    def __init__(
        self, *, empty: bool = True, blank: bool = True, also: Callable[[str], str | None] | None = None
    ) -> None:
        self._empty, self._blank, self._also = empty, blank, also
        self._plain = empty and blank and also is None

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_string(value):
            found.append(problem(at, "must be a string", "type"))
        elif not self._plain:
            complaint = self._complaint(value)
            if complaint is not None:
                found.append(problem(at, complaint, "text"))

    def _complaint(self, value: str) -> str | None:
        if not self._blank and not value.strip():
            return "cannot be blank"
        if not self._empty and not value:
            return "cannot be empty"
        return self._also(value) if self._also is not None else None


class Enum:
    """One of a closed list of camelCase strings, matched exactly.

    Args:
        names: what the refusal lists, in alphabetical order.
        hidden: accepted too, but deprecated and not listed.
    """

    __slots__ = ("_accepted", "_listed")

    def __init__(self, *names: str, hidden: Collection[str] = ()) -> None:
        self._listed = tuple(sorted(names))
        self._accepted = frozenset(names).union(hidden)

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_string(value):
            found.append(problem(at, "must be a string", "type"))
        elif value not in self._accepted:
            text = f"must be one of [{', '.join(self._listed)}]"
            found.append(problem(at, text, "enum", given=(value,), known=self._listed))


class Literal:
    """One string only, with the engine's own complaint about any other."""

    __slots__ = ("_complaint", "_matches")

    def __init__(self, matches: Callable[[str], bool], complaint: str) -> None:
        self._matches, self._complaint = matches, complaint

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_string(value):
            found.append(problem(at, "must be a string", "type"))
        elif not self._matches(value):
            found.append(problem(at, self._complaint, "enum"))
