"""How the server prints values inside the messages of its aggregation errors."""

from __future__ import annotations

import math
import re
from typing import Any

from bson import DatetimeMS, Decimal128, MaxKey, MinKey, ObjectId, Regex, Timestamp

from atlas_rag.inprocess.mql.values.types import MISSING, type_name
from atlas_rag.inprocess.rendering import render


def shown_double(value: float) -> str:
    """Returns a double with at most 6 significant digits, as C++ streams print it: `1e+20`, `2.5`, `1`."""
    if math.isfinite(value):
        return f"{value:.6g}"
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def shown_date(value: Any) -> str:
    """Returns a date as `2024-02-29T13:05:07.089Z`; what no calendar day has is illegal."""
    if isinstance(value, DatetimeMS):
        return "illegal date"
    return f"{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03d}Z"


def shown(value: Any) -> str:
    """Returns any value as an aggregation error quotes it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {shown(field)}" for name, field in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(shown, value)) + "]"
    return _shown_scalar(value)


def _shown_scalar(value: Any) -> str:
    if value is None:
        return "null"
    if value is MISSING:
        return "MISSING"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return shown_double(value)
    if isinstance(value, Timestamp):
        return f"Timestamp({value.time}, {value.inc})"
    if isinstance(value, (MinKey, MaxKey)):
        return type(value).__name__
    if isinstance(value, (int, Decimal128, ObjectId)):
        return str(value)
    if isinstance(value, bytes):
        return f'BinData({getattr(value, "subtype", 0)}, "{value.hex().upper()}")'
    if isinstance(value, (Regex, re.Pattern)):
        return render(value)
    return shown_date(value) if type_name(value) == "date" else repr(value)
