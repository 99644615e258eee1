"""What goes into a fusion and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class RankedList:
    """The answer of one input pipeline, best first.

    Args:
        name: the input pipeline's name; unique within one fusion.
        ids: the documents' `_id`s in order. An `_id` that comes twice counts once, with its better place.
        scores: one per id, in the same order: the score of a search, else the whole sort key (any value
            that can be compared for equality). Equal neighbours share a rank. None when they are unknown:
            then every place is a rank of its own. Fusing by score needs numbers.
    """

    name: str
    ids: Sequence[Any]
    scores: Sequence[Any] | None = None


class Contribution(NamedTuple):
    """What one input pipeline gave to one fused document.

    `rank` is the 1-based competition rank, None where the pipeline did not return the document (and in a
    fusion of scores, which has no ranks); `value` the summand, 0.0 where absent; `raw` the pipeline's own
    score before normalisation and weight, None where absent or unscored.
    """

    name: str
    rank: int | None
    weight: float
    value: float
    raw: float | None = None


@dataclass(frozen=True, slots=True)
class FusedItem:
    """One fused document. `contributions` holds every input pipeline, in name order."""

    id: Any
    score: float
    contributions: tuple[Contribution, ...]
