"""Measures by their canonical names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.measures.average_precision import AveragePrecision
from atlas_rag.tuning.measures.base import Measure
from atlas_rag.tuning.measures.counting import Hit, Recall
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
    "hit": Hit,
    "success": Hit,
    "ap": AveragePrecision,
    "map": AveragePrecision,
}


def parse(name: str) -> Measure:
    """The measure named, such as `nDCG@10`, `nDCG(exp)@10`, `MRR@10`, `R@100`, `Hit@5`, `MAP@100`.

    Raises:
        ExperimentError: unknown name or no cutoff (7602).
    """
    match = re.fullmatch(r"([a-z()]+)@([1-9]\d*)", name.strip().lower())
    if match is None or match[1] not in _MAKERS:
        raise ExperimentError(
            f"{name!r} is no measure known here",
            expected="nDCG@n, nDCG(exp)@n, RR@n, R@n, Hit@n or AP@n with a cutoff n of at least 1",
            next_step="use one of these, or give a function of ranking and judgments",
        )
    return _MAKERS[match[1]](int(match[2]))
