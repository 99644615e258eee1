"""Extended JSON in, BSON values out, with every type kept: int32 and int64 apart, dates of any year."""

from __future__ import annotations

import json
from typing import Any, Final

from bson.codec_options import DatetimeConversion
from bson.json_util import JSONMode, JSONOptions, object_hook

MAX_LEVELS: Final = 200
"""Documents and arrays inside each other that a server takes."""

_TOO_DEEP: Final = f"documents and arrays nest deeper than {MAX_LEVELS} levels"
_INT64_LIMIT: Final = 1 << 63
_OPTIONS: Final[JSONOptions] = JSONOptions(
    json_mode=JSONMode.CANONICAL, datetime_conversion=DatetimeConversion.DATETIME_AUTO
)


def read(text: str | bytes) -> Any:
    """BSON values of a text in canonical or relaxed Extended JSON.

    Raises:
        ValueError: the text is no JSON, an extended value in it is malformed, or it nests too deeply.
    """
    try:
        return decode(json.loads(text))
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error


def decode(value: Any) -> Any:
    """BSON values of what a JSON parser returned.

    Raises:
        ValueError: an extended value is malformed, or documents nest too deeply.
    """
    return _decode(value, MAX_LEVELS)


def _decode(value: Any, levels: int) -> Any:
    kind = type(value)
    if kind is int and not -_INT64_LIMIT <= value < _INT64_LIMIT:
        return float(str(value))  # infinite where a double cannot hold it
    if kind is not dict and kind is not list:
        return value
    if not levels:
        raise ValueError(_TOO_DEEP)
    if kind is list:
        return [_decode(item, levels - 1) for item in value]
    return _decode_object({key: _decode(item, levels - 1) for key, item in value.items()})


def _decode_object(value: dict[str, Any]) -> Any:
    if not next(iter(value), "").startswith("$"):
        return value
    try:
        return object_hook(value, _OPTIONS)
    except Exception as error:  # a malformed `$oid`, `$numberDecimal`, … raises an error of its own kind
        raise ValueError(f"malformed Extended JSON: {error}") from error
