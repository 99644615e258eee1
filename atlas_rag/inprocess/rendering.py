"""Values spelled as the server spells them in its error texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

import bson
from bson import Binary, Code, Decimal128, MaxKey, MinKey, ObjectId, Regex, Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 - one spelling with the line below


def render(value: Any) -> str:
    """Returns a value as in `dup key: { k: "x" }`.

    Source: observed with a server; strings are not escaped, whole doubles end in ".0".
    """
    if isinstance(value, Mapping):
        return "{ " + ", ".join(map(render_field, value, value.values())) + " }" if value else "{}"
    if isinstance(value, list):
        return "[ " + ", ".join(map(render, value)) + " ]" if value else "[]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _double(value)
    if isinstance(value, str) and not isinstance(value, Code):
        return f'"{value}"'
    return _rare(value)


def render_field(name: str, value: Any) -> str:
    """Returns `name: value`."""
    return f"{name}: {render(value)}"


def _double(value: float) -> str:
    text = f"{value:.16g}"
    return text if "." in text else text + ".0"


def _rare(value: Any) -> str:
    match value:
        case None:
            return "null"
        case ObjectId():
            return f"ObjectId('{value}')"
        case datetime():
            moment = value if value.tzinfo else value.replace(tzinfo=timezone.utc)  # noqa: UP017
            return f"new Date({round((moment - _EPOCH).total_seconds() * 1000)})"
        case Binary(subtype=4):
            return f'UUID("{bson.Binary(value, 4).as_uuid()}")'
        case bytes():
            return f"BinData({getattr(value, 'subtype', 0)}, {value.hex().upper()})"
        case Timestamp():
            return f"Timestamp({value.time}, {value.inc})"
        case Decimal128():
            return str(value)
        case MinKey():
            return "MinKey"
        case MaxKey():
            return "MaxKey"
        case Regex() | re.Pattern():
            return f"/{_text(value.pattern)}/{_flags(value.flags)}"
    return str(value)


def _text(pattern: str | bytes) -> str:
    return pattern.decode() if isinstance(pattern, bytes) else pattern


def _flags(flags: int) -> str:
    letters = {"i": re.I, "l": re.L, "m": re.M, "s": re.S, "u": re.U, "x": re.X}
    return "".join(letter for letter, flag in letters.items() if flags & flag)
