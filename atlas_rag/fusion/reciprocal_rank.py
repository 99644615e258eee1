"""Reciprocal rank fusion, as `$rankFusion` computes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas_rag.fusion.id_order import IdKey, id_order
from atlas_rag.fusion.lists import Contribution, FusedItem, RankedList
from atlas_rag.fusion.merge import Entries, Merge
from atlas_rag.fusion.ranks import competition_ranks
from atlas_rag.fusion.summation import chained_sum
from atlas_rag.fusion.weights import checked_weights

RANK_CONSTANT = 60


def reciprocal_rank(rank: int, weight: float = 1.0) -> float:
    """What a document at `rank` (≥ 1) of a pipeline of this weight (≥ 0) adds to its fused score.

    Formula: fl(fl(1 / (60 + rank)) · weight), two roundings, in this order.

    >>> reciprocal_rank(1)
    0.01639344262295082
    """
    return 1.0 / (RANK_CONSTANT + rank) * weight


def fuse_ranks(
    lists: Iterable[RankedList],
    weights: Mapping[str, float] | None = None,
    *,
    limit: int | None = None,
    id_key: IdKey = id_order,
) -> list[FusedItem]:
    """All documents of all lists by descending fused score, ties by ascending `_id`.

    Documents whose pipelines all weigh 0 stay, with score 0.0. Contributions are added in name order.

    Args:
        lists: at least one, names unique.
        weights: by name, finite and ≥ 0; default 1.
        limit: how many to return, ≥ 0; None for all.
        id_key: from `_id` to a hashable key that sorts; equal keys are one document.

    Raises:
        CallError: INVALID_WEIGHTS, INVALID_PIPELINE.
    """
    ordered = sorted(lists, key=lambda ranked: ranked.name)
    weighing = checked_weights([ranked.name for ranked in ordered], weights)
    merge = Merge(weighing, id_key)
    for column, ranked in enumerate(ordered):
        name, weight = ranked.name, weighing[ranked.name]
        for identity, rank, raw in _places(ranked):
            merge.add(column, identity, Contribution(name, rank, weight, reciprocal_rank(rank, weight), raw))
    return merge.ranked(_total, limit)


def _total(_: Any, entries: Entries) -> float:
    return chained_sum([entry.value for entry in entries])


def _places(ranked: RankedList) -> Iterable[tuple[Any, int, float | None]]:
    if ranked.scores is None:
        return zip(ranked.ids, range(1, len(ranked.ids) + 1), [None] * len(ranked.ids), strict=True)
    raws = [score if type(score) is float else None for score in ranked.scores]
    return zip(ranked.ids, competition_ranks(ranked.scores), raws, strict=True)
