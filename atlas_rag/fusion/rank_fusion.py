"""Reciprocal rank fusion, as `$rankFusion` computes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from atlas_rag.fusion.ids import IdKey, id_order
from atlas_rag.fusion.lists import FusedItem, RankedList
from atlas_rag.fusion.merge import Column, Merge, in_name_order
from atlas_rag.fusion.ranks import competition_ranks
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
    finite: bool = True,
) -> list[FusedItem]:
    """All documents of all lists by descending fused score, ties by ascending `_id`.

    Documents whose pipelines all weigh 0 stay, with score 0.0. Contributions are added in name order.

    Args:
        lists: at least one, names unique.
        weights: by name, ≥ 0; default 1.
        finite: whether infinite weights are refused.
        limit: how many to return, ≥ 0; None for all.
        id_key: from `_id` to a hashable key that sorts; equal keys are one document.

    Raises:
        CallError: INVALID_WEIGHTS, INVALID_PIPELINE.
    """
    ordered = in_name_order(lists)
    weighing = checked_weights([ranked.name for ranked in ordered], weights, finite=finite)
    merge = Merge([_column(ranked, weighing[ranked.name], id_key) for ranked in ordered], ordered)
    return merge.ranked(merge.chained_totals(), limit)


def _column(ranked: RankedList, weight: float, id_key: IdKey) -> Column:
    scores = ranked.scores
    ranks = list(range(1, len(ranked.ids) + 1)) if scores is None else competition_ranks(scores)
    values = [reciprocal_rank(rank, weight) for rank in ranks]
    raws = [score if type(score) is float else None for score in scores or [None] * len(ranks)]
    return Column.of(ranked, weight, id_key, values=values, ranks=ranks, raws=raws)
