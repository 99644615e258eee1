"""How large and how deep a stored document may be."""

from __future__ import annotations

from typing import Any

import bson

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.rendering import render_field

LARGEST_DOCUMENT = 16 * 1024 * 1024 + 16 * 1024
"""Bytes of BSON: 16 MiB, and what a server allows itself on top."""

DEEPEST_NESTING = 180

_NUMBERS = frozenset({float, int})
_LIKELY_MOST = 32  # bytes that a scalar with a short name may take


def check_storable(document: dict[str, Any]) -> None:
    """Refuses a document that a server could not store.

    The size is estimated, and only of documents that could be too large measured.

    Raises:
        CommandError: 10334 too large, 15 too deep.
    """
    if _estimate(document, 0) > LARGEST_DOCUMENT // 2:
        size = len(bson.encode(document))
        if size > LARGEST_DOCUMENT:
            first = next(iter(document.items()))
            raise CommandError(
                10334,
                f"BSONObj size: {size} (0x{size:X}) is invalid. Size must be between 0 and "
                f"{LARGEST_DOCUMENT}(16MB) First element: {render_field(*first)}",
            )


def _estimate(value: Any, depth: int) -> int:
    """Returns about how many bytes a value takes, rather too many than too few.

    Written out in loops, since it runs over every value that is ever stored.
    """
    kind = type(value)
    if kind is str:
        return _LIKELY_MOST + 3 * len(value)
    if kind is dict or kind is list:
        if depth == DEEPEST_NESTING + 1:
            text = f"cannot insert document because it exceeds {DEEPEST_NESTING} levels of nesting"
            raise CommandError(15, text)
        size = _LIKELY_MOST * len(value)
        if kind is list:
            if _NUMBERS.issuperset(map(type, value)):
                return size
            for inner in value:
                size += _estimate(inner, depth + 1)
            return size
        for name, inner in value.items():
            size += 3 * len(name) + _estimate(inner, depth + 1)
        return size
    return _LIKELY_MOST + (len(value) if isinstance(value, bytes) else 0)
