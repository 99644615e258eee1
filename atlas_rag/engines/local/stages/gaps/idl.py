"""Arguments with named fields of fixed types, refused in the words that the server generates for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.values import type_name
from atlas_rag.engines.local.values.types import NUMBERS

_NUMBER_NAMES = "[int, decimal, double, long']"


def checked_fields(
    place: str, argument: Mapping[str, Any], types: Mapping[str, str], required: Sequence[str] = ()
) -> Mapping[str, Any]:
    """Returns an argument whose fields are known and of their types.

    Args:
        place: where it stands, as in `$densify.range`.
        types: by field, the BSON type, `number`, `strings` for an array of strings, or `any`.

    Raises:
        CommandError: code 40415 (unknown field), 14 (type), 40414 (a required field is missing).
    """
    for name, value in argument.items():
        if name not in types:
            raise CommandError(40415, f"BSON field '{place}.{name}' is an unknown field.")
        _check_type(f"{place}.{name}", value, types[name])
    for name in required:
        if name not in argument:
            raise CommandError(40414, f"BSON field '{place}.{name}' is missing but a required field")
    return argument


def _check_type(place: str, value: Any, expected: str) -> None:
    kind = type_name(value)
    if expected == "strings":
        _check_type(place, value, "array")
        for position, item in enumerate(value):
            _check_type(f"{place}.{position}", item, "string")
    elif expected == "number":
        if kind not in NUMBERS:
            text = f"is the wrong type '{kind}', expected types '{_NUMBER_NAMES}"
            raise CommandError(14, f"BSON field '{place}' {text}")
    elif expected not in ("any", kind):
        text = f"is the wrong type '{kind}', expected type '{expected}'"
        raise CommandError(14, f"BSON field '{place}' {text}")
