"""`$text`, which is read here, but needs an index that the engine does not have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE, TYPE_MISMATCH
from atlas_rag.inprocess.mql.values import type_name

NO_TEXT_INDEX = (27, "text index required for $text query")
_TYPES = {
    "$search": "string",
    "$language": "string",
    "$caseSensitive": "bool",
    "$diacriticSensitive": "bool",
}


def check_text(argument: Any) -> None:
    """Checks the argument of `$text`. Raises code 2, 4 (nothing to search for) or 14."""
    if not isinstance(argument, Mapping):
        raise CommandError(BAD_VALUE, "$text expects an object")
    if "$search" not in argument:
        raise CommandError(4, 'Missing expected field "$search"')
    for name, expected in _TYPES.items():
        found = type_name(argument.get(name))
        if name in argument and found != expected:
            text = f'"{name}" had the wrong type. Expected {expected}, found {found}'
            raise CommandError(TYPE_MISMATCH, text)
    if argument.keys() - _TYPES.keys():
        raise CommandError(BAD_VALUE, "extra fields in $text")
