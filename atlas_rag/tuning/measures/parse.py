"""Measures by their canonical names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.measures.average_precision import AveragePrecision
from atlas_rag.tuning.measures.base import Measure
from atlas_rag.tuning.measures.counting import Hit, Precision, Recall
from atlas_rag.tuning.measures.ndcg import NDCG
from atlas_rag.tuning.measures.reciprocal_rank import ReciprocalRank

_MAKERS: Mapping[str, Callable[[int], Measure]] = {
    "ndcg": lambda cutoff: NDCG(cutoff),
    "ndcg(linear)": lambda cutoff: NDCG(cutoff),
    "ndcg(exp)": lambda cutoff: NDCG(cutoff, gain="exp"),
    "rr": ReciprocalRank,
    "mrr": ReciprocalRank,
    "r": Recall,
    "recall": Recall,
    "p": Precision,
    "precision": Precision,
    "hit": Hit,
    "success": Hit,
    "ap": AveragePrecision,
    "map": AveragePrecision,
}


_UNCUT: Mapping[str, Measure] = {
    "ap": AveragePrecision(uncut=True),
    "map": AveragePrecision(uncut=True),
    "rr": ReciprocalRank(uncut=True),
    "mrr": ReciprocalRank(uncut=True),
}


def parse(name: str) -> Measure:
    """The measure named, such as `nDCG@10`, `nDCG(exp)@10`, `MRR@10`, `R@100`, `P@5`, `Hit@5`, `MAP@100`.

    `AP` (or `MAP`) and `RR` (or `MRR`) without a cutoff look at the whole fused ranking.

    Raises:
        ExperimentError: unknown name or no cutoff (7602).
    """
    if name.strip().lower() in _UNCUT:
        return _UNCUT[name.strip().lower()]
    match = re.fullmatch(r"([a-z()]+)@([1-9]\d*)", name.strip().lower())
    if match is None or match[1] not in _MAKERS:
        raise ExperimentError(
            f"{name!r} is no measure known here",
            expected="nDCG@n, nDCG(exp)@n, RR@n, R@n, P@n, Hit@n, AP@n with a cutoff n of at least 1; AP; RR",
            next_step="use one of these, or give a function of ranking and judgments",
        )
    return _MAKERS[match[1]](int(match[2]))


def whole(measure: Measure, longest: int) -> Measure:
    """The measure itself; an uncut one with the length of the longest ranking as its cutoff."""
    if isinstance(measure, (AveragePrecision, ReciprocalRank)) and measure.uncut:
        return replace(measure, cutoff=max(longest, 1))
    return measure
