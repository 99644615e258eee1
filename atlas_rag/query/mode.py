"""Which kinds of input pipeline answer a question."""

from __future__ import annotations

from enum import StrEnum


class Mode(StrEnum):
    """Which kinds of input pipeline answer a question."""

    HYBRID = "hybrid"
    VECTOR = "vector"
    KEYWORD = "keyword"
