"""One hit as a numbered source of a prompt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.hits import Hit

TRUNCATED = "…(truncated)"


@dataclass(frozen=True, slots=True)
class Source:
    """What one hit brings into the prompt.

    Args:
        ordinal: 1-based number that citations use; given in order of relevance.
        id: the document's `_id`. text: its text, clamped. title, uri: where known.
        metadata: further fields to show, in order.
        hit: where it came from.
    """

    ordinal: int
    id: Any
    text: str = field(repr=False)
    title: str | None = field(default=None, repr=False)
    uri: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False, hash=False)
    hit: Hit | None = field(default=None, repr=False, hash=False)


def clamp(text: str, limit: int | None) -> str:
    """The text cut to `limit` characters, with a visible mark; clamping twice changes nothing.

    >>> clamp("abcdef", 3)
    'abc…(truncated)'
    """
    if (
        limit is None
        or len(text) <= limit
        or (text.endswith(TRUNCATED) and len(text) <= limit + len(TRUNCATED))
    ):
        return text
    return text[: max(limit, 0)] + TRUNCATED
