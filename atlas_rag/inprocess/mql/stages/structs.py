"""Arguments with named fields of fixed types, refused in the words that the server generates for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.types import NUMBERS

_ITEMS = {"strings": "string", "objects": "object"}
_NUMBER_NAMES = "[int, decimal, double, long']"


class Struct(NamedTuple):
    """What a document may hold.

    Args:
        fields: by name, the BSON type, `number`, `strings` or `objects` for an array of them, `any`, or the
            struct inside.
        required: the fields that must be there.
    """

    fields: Mapping[str, str | Struct]
    required: Sequence[str] = ()

    def read(self, place: str, argument: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the fields of an argument, read in its order; null counts as absent, but for `any`.

        Args:
            place: where the argument stands, as in `$densify.range`.

        Raises:
            CommandError: code 40415 (unknown field), 14 (type), 40414 (a required field is missing).
        """
        given: dict[str, Any] = {}
        for name, value in argument.items():
            if name not in self.fields:
                unknown = f"{place}.{name}" if name else place
                raise CommandError(40415, f"BSON field '{unknown}' is an unknown field.")
            kind = self.fields[name]
            if value is None and kind in tuple(_ITEMS):  # to a server a null array is not an absent one
                raise CommandError(10065, f"invalid parameter: expected an object ({name})")
            if value is not None or kind == "any":
                given[name] = _read(f"{place}.{name}", value, kind)
        for name in self.required:
            if name not in given:
                raise CommandError(40414, f"BSON field '{place}.{name}' is missing but a required field")
        return given


def _read(place: str, value: Any, kind: str | Struct) -> Any:
    if isinstance(kind, Struct):
        _check_type(place, value, "object")
        return kind.read(place, value)
    if kind not in _ITEMS:
        _check_type(place, value, kind)
        return value
    _check_type(place, value, "array")
    items = [(position, item) for position, item in enumerate(value) if item is not None]
    for position, item in items:
        _check_type(f"{place}.{position}", item, _ITEMS[kind])
    return [item for _, item in items]


def _check_type(place: str, value: Any, expected: str) -> None:
    kind = type_name(value)
    if expected == "number":
        if kind not in NUMBERS:
            text = f"is the wrong type '{kind}', expected types '{_NUMBER_NAMES}"
            raise CommandError(14, f"BSON field '{place}' {text}")
    elif expected not in ("any", kind):
        text = f"is the wrong type '{kind}', expected type '{expected}'"
        raise CommandError(14, f"BSON field '{place}' {text}")
