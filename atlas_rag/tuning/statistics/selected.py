"""A gain that is shown because it passed a test: how large it is, without the luck that let it pass.

Of many experiments with the same true gain those pass that were lucky: their plain estimates are too large
(the winner's curse), by a factor of about 1.6 at a true gain of one standard error. So beyond the test the
estimate is the median-unbiased one of the distribution cut off at the critical value, and the lower end of
the interval is that distribution's, too. The upper end stays the plain one, which is the safe side.
Coverage: missing above needs an estimate 1.96 errors too low, which cannot pass a test while the true gain
is below 3.6 errors; so all in all at least 95 % of the intervals hold the truth, and of those shown at least
as many.

Source: Zhong and Prentice 2008 (Biostatistics 9:621), Ghosh, Zou and Wright 2008 for estimates conditional
on passing; Weinstein, Fithian and Benjamini 2013 (JASA 108:165) for intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.statistics.student import one_sided_p, quantile

LEVEL = 0.05
"""Of the one-sided tests: under no gain at most so many experiments pass."""

WIDEST = 3.3
"""Standard errors below the plain estimate at which the lower end stops (one in two thousand)."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What a choice gains over a baseline on queries that took no part in it.

    Args:
        baseline: its name.
        queries: how many the estimate rests on.
        plain: mean of the held-out differences.
        error: its standard error, with the wavering of the choice itself.
        p: one-sided, of "no better than the baseline".
        estimate: what is claimed: `plain`, or less where the test was passed by little.
        interval: 95 %, for the true gain of what was finally chosen.
    """

    baseline: str
    queries: int
    plain: float
    error: float
    p: float
    estimate: float
    interval: tuple[float, float]

    @property
    def shown(self) -> bool:
        """Whether the test says that the choice is better than the baseline."""
        return self.p < LEVEL


def gain(baseline: str, differences: Floats, instability: float = 0.0) -> Gain:
    """The gain that held-out differences show.

    Formula: error² = variance / queries + instability; t = mean / error with queries - 1 degrees of freedom.
    Args:
        differences: held-out value of the choice minus the baseline's, by query; at least two.
        instability: see `Nested.instability`.
    """
    count, plain = len(differences), float(differences.mean())
    error = math.sqrt(float(differences.var(ddof=1)) / count + instability)
    if error == 0.0:
        p = 1.0 if plain <= 0 else 0.0
        return Gain(baseline, count, plain, 0.0, p, plain, (plain, plain))
    p = one_sided_p(plain / error, count - 1)
    reach = quantile(0.975, count - 1) * error
    estimate, interval = plain, (plain - reach, plain + reach)
    if p < LEVEL:
        estimate, low = beyond_test(plain / error, quantile(1 - LEVEL, count - 1))
        estimate, interval = estimate * error, (low * error, interval[1])
    return Gain(baseline, count, plain, error, p, estimate, interval)


def beyond_test(z: float, critical: float) -> tuple[float, float]:
    """(estimate, lower 97.5 % bound) of a mean of unit error, observed at z and only shown beyond `critical`.

    Formula: the mean m at which P(Z > z | Z > critical) is 1/2, or 1/40. The estimate is never less than
        half of z, nor the bound less than z - 3.3: at the edge itself both would fall without end.
    """
    estimate = _solved(z, critical, 0.5)
    low = _solved(z, critical, 0.025)
    return max(estimate, z / 2), max(low, z - WIDEST)


def _solved(z: float, critical: float, share: float) -> float:
    def above(mean: float) -> float:
        return _upper_tail(z - mean) / _upper_tail(critical - mean)

    return _bisected(lambda mean: above(mean) - share, z - 2 * WIDEST, z + 1.0)


def _bisected(rising: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _upper_tail(z: float) -> float:
    return 0.5 * math.erfc(z / math.sqrt(2.0))


def equivalence_p(differences: Floats, margin: float) -> float:
    """p of "the means differ by `margin` or more": below .05 two rankings are equivalent to that margin.

    Formula: the greater p of the two one-sided t tests against -margin and +margin.
    Source: Schuirmann 1987 (TOST).
    Args:
        differences: per query, at least two. margin: > 0, in units of the measure.
    """
    count, mean = len(differences), float(differences.mean())
    error = float(np.std(differences, ddof=1)) / math.sqrt(count)
    if error == 0.0:
        return 0.0 if abs(mean) < margin else 1.0
    return one_sided_p((margin - abs(mean)) / error, count - 1)
