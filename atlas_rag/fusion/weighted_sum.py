"""Fusion of scores, as `$scoreFusion` computes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion.id_order import IdKey, id_order
from atlas_rag.fusion.lists import Contribution, FusedItem, RankedList
from atlas_rag.fusion.merge import Entries, Merge
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
    ordered = sorted(lists, key=lambda ranked: ranked.name)
    weighing = checked_weights([ranked.name for ranked in ordered], weights)
    merge = Merge(weighing, id_key)
    for column, ranked in enumerate(ordered):
        name, weight, raws = ranked.name, weighing[ranked.name], _scores(ranked)
        values = normalize(raws, normalization, weight)
        for identity, raw, value in zip(ranked.ids, raws, values, strict=True):
            merge.add(column, identity, Contribution(name, None, weight, value, raw))

    def combined(identity: Any, entries: Entries) -> float:
        if merge.present(entries) > 1:
            entries[:] = [entry if entry.value >= 0 else entry._replace(value=0.0) for entry in entries]
        if combine is None:
            return server_mean([entry.value for entry in entries])
        return combine(identity, {entry.name: entry.value for entry in entries})

    return merge.ranked(combined, limit)


def _scores(ranked: RankedList) -> list[float]:
    if ranked.scores is None:
        raise CallError(
            f"input pipeline {ranked.name!r} has no scores to fuse",
            expected="a score per document",
            next_step="fuse by rank instead",
            code=Code.INVALID_PIPELINE,
        )
    return [float(score) for score in ranked.scores]
