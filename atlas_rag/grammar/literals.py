"""Values that queries compare with: what may be equal to something, and what may lie before something.

The two families have different words: `equals`, `in` and `$eq` name the types they take, `range`, `near` and
`$gt` name the type they were given.
"""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.geometry import POINT
from atlas_rag.grammar.kit import ListOf, binary_subtype, type_name
from atlas_rag.grammar.kit.bson_types import UUID_SUBTYPE
from atlas_rag.grammar.problem import At, Found, bare_problem, problem

UUID_BYTES: Final = 16

KINDS: Final = {
    "BOOLEAN": "BOOLEAN",
    "DATE_TIME": "DATE",
    "DOCUMENT": "GEO",
    "DOUBLE": "NUMBER",
    "INT32": "NUMBER",
    "INT64": "NUMBER",
    "OBJECT_ID": "OBJECT_ID",
    "STRING": "STRING",
    "BINARY": "UUID",
}
"""Kinds that the engine knows of BSON types; values of one kind are comparable."""


def kind_of(value: Any) -> str | None:
    """The comparable kind of a value, or None for types that cannot be compared."""
    return KINDS.get(type_name(value))


class Equatable:
    """A boolean, objectId, number, string, date, uuid, or null."""

    def __init__(self, *, null: bool) -> None:
        self._null = null

    def check(self, value: Any, at: At, found: Found) -> None:
        if value is None:
            if not self._null:
                found.append(problem(at, "value type cannot be null", "type"))
            return
        kind = kind_of(value)
        if kind is None or kind == "GEO":
            text = "must be a boolean, objectId, number, string, date, uuid, or null"
            found.append(problem(at, text, "type"))
        elif kind == "UUID" and binary_subtype(value) != UUID_SUBTYPE:
            found.append(problem(at, "binary value must be UUID subtype 4", "type"))
        elif kind == "UUID":
            check_uuid_length(value, at, found)


class Comparable:
    """A value with an order: number, date, string, objectId, uuid, boolean or GeoJSON point.

    Which of these a place takes is its own rule; here only the types that no place takes are refused.
    """

    def check(self, value: Any, at: At, found: Found) -> None:
        kind = kind_of(value)
        if kind is None:
            found.append(problem(at, f"Type is not supported: {type_name(value)}", "type"))
        elif kind == "GEO":
            POINT.check(value, at, found)
        elif kind == "UUID" and binary_subtype(value) != UUID_SUBTYPE:
            found.append(problem(at, "must be a UUID", "type"))
        elif kind == "UUID":
            check_uuid_length(value, at, found)


def check_uuid_length(value: Any, at: At, found: Found) -> None:
    """A uuid has 16 bytes."""
    length = UUID_BYTES if not isinstance(value, bytes) else len(value)
    if length != UUID_BYTES:
        found.append(bare_problem(at, f"Expected length to be {UUID_BYTES}, not {length}.", "type"))


def same_kind(items: list[Any], at: At, found: Found) -> None:
    """All values of a list must be of one kind; numbers of all widths are one."""
    if len({kind_of(item) for item in items}) > 1:
        found.append(problem(at, "must have elements of the same type", "mixed-types"))


class _Items(ListOf):
    """Values of an `in` list: unlike elsewhere a null item is named as one."""

    def check_items(self, value: list[Any], at: At, found: Found) -> None:
        if not value:
            found.append(problem(at, "cannot be empty", "empty-list"))
            return
        before = len(found)
        for index, item in enumerate(value):
            NOT_NULL.check(item, (at, index), found)
        if len(found) == before:
            same_kind(value, at, found)


EQUATABLE: Final = Equatable(null=True)
NOT_NULL: Final = Equatable(null=False)
COMPARABLE: Final = Comparable()
IN_LIST: Final = _Items(NOT_NULL)
