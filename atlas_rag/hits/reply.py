"""Numbers of a reply, whatever the driver made of them."""

from __future__ import annotations

from typing import Any

from atlas_rag.errors import ReplyError


def reported_number(value: Any) -> float | None:
    """A number as a float; what is missing or null is None.

    Raises:
        ReplyError: UNEXPECTED_REPLY for anything else.
    """
    if value is None or type(value) is float:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ReplyError(f"A score is a {type(value).__name__}", expected="a number")
    return float(value)
