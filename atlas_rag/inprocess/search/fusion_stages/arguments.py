"""Arguments of the ranking stages, checked as the server's generated parsers check them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import type_name

ANY = "any"


def checked_fields(
    name: str, argument: Any, kinds: Mapping[str, str], required: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """The document of a stage, or of a field inside it, without fields that are null, as if absent.

    Args:
        name: the path so far, as error texts show it: "$rankFusion", "$rankFusion.input".
        kinds: the fields it may have, with the BSON type of each, or `ANY`.
        required: those it must have.

    Raises:
        CommandError: 9 not a document, 40415 unknown field, 40414 missing field, 14 wrong type.
    """
    if not isinstance(argument, Mapping):
        found = type_name(argument)
        raise CommandError(9, f"The {name} stage specification must be an object, found {found}")
    for field, value in argument.items():
        if field not in kinds:
            raise CommandError(40415, f"BSON field '{name}.{field}' is an unknown field.")
        if value is None:
            continue
        found = type_name(value)
        if kinds[field] not in (ANY, found):
            text = f"is the wrong type '{found}', expected type '{kinds[field]}'"
            raise CommandError(14, f"BSON field '{name}.{field}' {text}")
    for field in required:
        if argument.get(field) is None:
            raise CommandError(40414, f"BSON field '{name}.{field}' is missing but a required field")
    return {field: value for field, value in argument.items() if value is not None or kinds[field] == ANY}


def checked_choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    """One of a closed list of strings. Raises 2."""
    if value not in choices:
        text = f"Enumeration value '{value}' for field '{name}' is not a valid value."
        raise CommandError(2, text)
    return value
