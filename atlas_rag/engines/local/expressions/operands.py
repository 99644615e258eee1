"""What operators ask of their operands."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.values import MISSING, type_name
from atlas_rag.engines.local.values.numbers import Number
from atlas_rag.engines.local.values.types import is_number


def nullish(value: Any) -> bool:
    """True for null and for a missing value."""
    return value is None or value is MISSING


def number(name: str, value: Any, code: int = 28765) -> Number:
    """Returns a number. Raises `code`: the operator takes numbers only."""
    if not is_number(value):
        raise CommandError(code, f"{name} only supports numeric types, not {type_name(value)}")
    return value  # type: ignore[no-any-return]


def is_date(value: Any) -> bool:
    """True for a date."""
    return isinstance(value, datetime) or type_name(value) == "date"
