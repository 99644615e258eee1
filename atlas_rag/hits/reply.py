"""What rows of a reply hold, whatever the driver made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from atlas_rag.errors import ReplyError


def is_document(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether the driver read a document; asked for every hit, most often of a plain dict."""
    return type(value) is dict or isinstance(value, Mapping)


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
