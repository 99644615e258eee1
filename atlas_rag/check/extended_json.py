"""Extended JSON in, BSON values out, with every type kept: int32 and int64 apart, dates of any year."""

from __future__ import annotations

import json
from typing import Any, Final

from bson.codec_options import DatetimeConversion
from bson.json_util import JSONMode, JSONOptions, object_hook

_OPTIONS: Final[JSONOptions] = JSONOptions(
    json_mode=JSONMode.CANONICAL, datetime_conversion=DatetimeConversion.DATETIME_AUTO
)


def read(text: str | bytes) -> Any:
    """BSON values of a text in canonical or relaxed Extended JSON.

    Raises:
        ValueError: the text is no JSON, or an extended value in it is malformed.
    """
    return json.loads(text, object_hook=_decode_object)


def decode(value: Any) -> Any:
    """BSON values of what a JSON parser returned.

    Raises:
        ValueError: an extended value is malformed.
    """
    if isinstance(value, dict):
        return _decode_object({key: decode(item) for key, item in value.items()})
    return [decode(item) for item in value] if isinstance(value, list) else value


def _decode_object(value: dict[str, Any]) -> Any:
    if not next(iter(value), "").startswith("$"):
        return value
    try:
        return object_hook(value, _OPTIONS)
    except Exception as error:  # a malformed `$oid`, `$numberDecimal`, … raises an error of its own kind
        raise ValueError(f"malformed Extended JSON: {error}") from error
