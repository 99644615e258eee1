"""Fusion of scores, as `$scoreFusion` computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion.ids import IdKey, id_order
from atlas_rag.fusion.lists import FusedItem, RankedList
from atlas_rag.fusion.merge import Column, Merge, in_name_order
from atlas_rag.fusion.normalization import normalize
from atlas_rag.fusion.summation import server_mean
from atlas_rag.fusion.weights import checked_weights

Combine = Callable[[Any, Mapping[str, float]], float]


def fuse_scores(
    lists: Iterable[RankedList],
    weights: Mapping[str, float] | None = None,
    *,
    normalization: str = "none",
    combine: Combine | None = None,
    limit: int | None = None,
    id_key: IdKey = id_order,
) -> list[FusedItem]:
    """All documents of all lists by descending fused score, ties by ascending `_id`.

    Formula: the mean, over *all* input pipelines, of the weighted normalised scores; a pipeline without
    the document counts as 0. A negative score counts as 0 too where another pipeline also found the
    document, because the server takes the largest of what each row holds for a pipeline.

    Args:
        lists: at least one, names unique, each with a numeric score per document.
        weights: by name, finite and ≥ 0; default 1. Without effect under `minMaxScaler`, which runs after.
        normalization: "none", "sigmoid" or "minMaxScaler".
        combine: instead of the mean: from `_id` and the normalised scores by name to the fused score.
        limit: how many to return, ≥ 0; None for all.
        id_key: from `_id` to a hashable key that sorts; equal keys are one document.

    Raises:
        CallError: INVALID_WEIGHTS, INVALID_PIPELINE (also for a list without scores).
        ValueError: unknown normalization.
    """
    ordered = in_name_order(lists)
    weighing = checked_weights([ranked.name for ranked in ordered], weights)
    columns = []
    for ranked in ordered:
        weight, raws = weighing[ranked.name], _scores(ranked)
        values = normalize(raws, normalization, weight)
        columns.append(Column.of(ranked, weight, id_key, values=values, ranks=None, raws=raws))
    merge = Merge(columns, ordered)

    def total(key: Any) -> float:
        given = merge.contributions(key)
        if combine is None:
            return server_mean([each.value for each in given])
        return combine(merge.ids[key], {each.name: each.value for each in given})

    return merge.ranked({key: total(key) for key in merge.ids}, limit)


def _scores(ranked: RankedList) -> list[float]:
    if ranked.scores is None:
        raise CallError(
            f"input pipeline {ranked.name!r} has no scores to fuse",
            expected="a score per document",
            next_step="fuse by rank instead",
            code=Code.INVALID_PIPELINE,
        )
    return [float(score) for score in ranked.scores]
