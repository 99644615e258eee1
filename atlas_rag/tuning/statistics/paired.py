"""Two rankings of the same queries."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.statistics.resampling import ROUNDS, bootstrap_interval, sign_flips
from atlas_rag.tuning.statistics.student import two_sided_p


@dataclass(frozen=True, slots=True)
class Comparison:
    """The second against the first, over the same queries.

    Args:
        queries: how many.
        difference: mean of second - first.
        deviation: standard deviation of the differences (n - 1).
        p_student: of the paired t test, two-sided.
        p_permutation: of the sign-flip test, two-sided.
        interval: 95 % bootstrap interval of the mean difference.
        wins, losses, ties: queries in which the second is better, worse, equal.
    """

    queries: int
    difference: float
    deviation: float
    p_student: float
    p_permutation: float
    interval: tuple[float, float]
    wins: int
    losses: int
    ties: int

    @property
    def significant(self) -> bool:
        """Whether both tests fall below .05 and the interval leaves out 0."""
        low, high = self.interval
        return self.p_student < 0.05 and self.p_permutation < 0.05 and not low <= 0.0 <= high


def compare(first: Floats, second: Floats, *, rounds: int = ROUNDS, seed: int = 0) -> Comparison:
    """Paired comparison of one value per query.

    Source: Smucker et al. 2007 (these three tests agree; sign and Wilcoxon tests do not serve), Urbano 2019.
    Args:
        rounds: of the permutation test and the bootstrap, ≥ 1.
    Raises:
        ExperimentError: fewer than two queries, or different numbers of them (7601).
    """
    if len(first) != len(second) or len(first) < 2:
        raise ExperimentError(
            f"{len(first)} and {len(second)} values cannot be compared in pairs",
            expected="the same queries on both sides, at least two",
            next_step="collect both on the same queries",
            code=Code.TOO_FEW_JUDGMENTS,
        )
    differences = second - first
    count, mean = len(differences), float(differences.mean())
    deviation = float(differences.std(ddof=1))
    if deviation == 0.0:
        p_student = 1.0 if mean == 0.0 else 0.0
    else:
        p_student = two_sided_p(mean / deviation * math.sqrt(count), count - 1)
    return Comparison(
        queries=count,
        difference=mean,
        deviation=deviation,
        p_student=p_student,
        p_permutation=_sign_flip_p(differences, rounds, seed),
        interval=bootstrap_interval(differences, rounds=rounds, seed=seed),
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        ties=int((differences == 0).sum()),
    )


def _sign_flip_p(differences: Floats, rounds: int, seed: int) -> float:
    """Share of sign flips whose mean is at least as far from 0, the data themselves counted in."""
    flipped = np.abs(sign_flips(len(differences), rounds, np.random.default_rng(seed)) @ differences)
    observed = abs(float(differences.sum()))
    return (1 + int((flipped >= observed - 1e-12).sum())) / (rounds + 1)
