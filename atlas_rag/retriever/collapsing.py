"""Chunks to documents: which hits are one too many of their group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import bson

from atlas_rag.errors import CallError
from atlas_rag.fusion import id_order
from atlas_rag.hits import Hit
from atlas_rag.query.after import Collapse


def surplus(hits: Sequence[Hit], collapse: Collapse) -> Iterator[bool]:
    """For each hit, best first: whether its group is full already."""
    seen: Counter[Hashable] = Counter()
    for hit in hits:
        value = hit.value_at(collapse.by)
        if value is None:
            yield False
            continue
        group = group_key(value)
        seen[group] += 1
        yield seen[group] > collapse.keep


def group_key(value: Any) -> Hashable:
    """Equal for values that a server holds for equal: 1 and 1.0 are one, 1 and true are two."""
    try:
        return id_order(value)
    except CallError:  # a type without an order here: equal where its BSON is
        return bson.encode({"": value})
