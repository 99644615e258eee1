"""Student's t distribution, from the regularised incomplete beta function."""

from __future__ import annotations

import math

TINY = 1e-300
STEPS = 500


def two_sided_p(t: float, freedom: int) -> float:
    """Probability of a t at least so far from 0.

    Formula: I_x(freedom / 2, 1 / 2) at x = freedom / (freedom + t²).
    Args:
        freedom: degrees of freedom, ≥ 1.
    """
    if math.isinf(t):
        return 0.0
    return incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def one_sided_p(t: float, freedom: int) -> float:
    """Probability of a t at least so high."""
    half = two_sided_p(t, freedom) / 2
    return half if t >= 0 else 1.0 - half


def quantile(share: float, freedom: int) -> float:
    """The t below which a share (above 1/2, below 1) of the distribution lies, by bisection."""
    low, high = 0.0, 1.0
    while one_sided_p(high, freedom) > 1.0 - share:
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if one_sided_p(middle, freedom) > 1.0 - share else (low, middle)
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) for 0 ≤ x ≤ 1 and a, b > 0.

    Source: DLMF 8.17.22, the continued fraction, evaluated by Lentz's method; 8.17.4 for the other tail.
    """
    if x <= 0.0 or x >= 1.0:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1 / (1 + d2 / (1 + …)) of DLMF 8.17.22, with the numerators of 8.17.23."""
    value, upper, lower = 1.0, 1.0, 0.0
    for step in range(1, STEPS):
        m = step // 2
        if step % 2:
            numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        lower = 1.0 / _nonzero(1.0 + numerator * lower)
        upper = _nonzero(1.0 + numerator / upper)
        change = upper * lower
        value *= change
        if abs(change - 1.0) < 1e-16:
            break
    return value


def _nonzero(value: float) -> float:
    return value if abs(value) > TINY else TINY
