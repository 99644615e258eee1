"""`$covariancePop` and `$covarianceSamp`: how two numbers vary together."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.mql.expressions.operators.arithmetic import divide, multiply, subtract
from atlas_rag.inprocess.mql.stages.windows.accumulated import over_window
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.stages.windows.sliding import SlidingTotal
from atlas_rag.inprocess.mql.values.numbers import Number
from atlas_rag.inprocess.mql.values.types import is_number


class _Covariance:
    """The covariance of the pairs of numbers that are in the window; all else is passed over.

    Formula: with the means before (m) and after (M) a pair comes, C += (x - m_x)(y - M_y); as it leaves,
    C -= (x - M_x)(y - m_y). The covariance of n pairs is C / n, of a sample C / (n - 1).
    Source: Welford's method; the order of operations measured as `sliding` tells.
    """

    __slots__ = ("_co_moment", "_count", "_sample", "_x", "_y")

    def __init__(self, *, sample: bool) -> None:
        self._sample, self._count = sample, 0
        self._x, self._y, self._co_moment = SlidingTotal(), SlidingTotal(), SlidingTotal()

    def add(self, value: Any) -> None:
        if not _is_pair(value):
            return
        x, y = value
        from_mean = subtract(x, self._mean(self._x))
        self._x.add(x)
        self._y.add(y)
        self._count += 1
        self._co_moment.add(multiply([from_mean, subtract(y, self._mean(self._y))]))

    def remove(self, value: Any) -> None:
        if not _is_pair(value):
            return
        x, y = value
        from_mean = subtract(y, self._mean(self._y))
        self._x.remove(x)
        self._y.remove(y)
        self._count -= 1
        self._co_moment.remove(multiply([subtract(x, self._mean(self._x)), from_mean]))

    def result(self) -> Any:
        divisor = self._count - self._sample
        if divisor > 0 and self._count == 1:  # whatever rounding left behind
            return 0.0
        return divide(self._co_moment.result(), float(divisor)) if divisor > 0 else None

    def _mean(self, total: SlidingTotal) -> Number:
        mean: Number = divide(total.result(), float(self._count)) if self._count else 0
        return mean


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(is_number, value))


def _covariance(call: Call) -> WindowFunction:
    sample = call.name == "$covarianceSamp"
    expression, bounds = call.read(call.compiled)
    return over_window(expression, lambda: _Covariance(sample=sample), bounds)


FUNCTIONS: dict[str, CompileWindow] = dict.fromkeys(("$covariancePop", "$covarianceSamp"), _covariance)
