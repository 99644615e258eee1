"""Sums and deviations that values may leave again, rounded as the server rounds them.

A window that slides takes in the values before it lets go of others; both change the one running sum. So the
last bit of a sum of doubles, and the zeros at the end of one of decimals, tell what it has held before.
Source: measured on a server of release 6.0.5, equal to the last bit over 390 random doubles a window.
"""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from typing import Any

from bson import Decimal128

from atlas_rag.fusion import CompensatedSum
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    Number,
    fits_long,
    from_decimal,
    integer,
    is_long,
    to_decimal,
    to_float,
)
from atlas_rag.inprocess.mql.values.sums import decimal_of, halves
from atlas_rag.inprocess.mql.values.types import is_number


class SlidingTotal:
    """A running sum of numbers; the result has the widest type that is in it now."""

    __slots__ = ("_beyond", "_decimals", "_doubles", "_held_decimals", "_integers", "_kinds")

    def __init__(self) -> None:
        self._integers = 0
        self._doubles = CompensatedSum()
        self._decimals = Decimal(0)
        self._held_decimals = False
        self._kinds: Counter[type] = Counter()
        self._beyond: Counter[str] = Counter()  # infinities, and NaN, which no sum can let go of again

    def add(self, value: Number) -> None:
        """Adds a number."""
        self._change(value, 1)

    def remove(self, value: Number) -> None:
        """Takes out a number that was added before."""
        self._change(value, -1)

    def _change(self, value: Number, sign: int) -> None:
        kind = Decimal128 if isinstance(value, Decimal128) else float if isinstance(value, float) else int
        self._kinds[kind] += sign
        if kind is not int and not math.isfinite(to_decimal(value)):
            self._beyond[str(to_float(value))] += sign
        elif isinstance(value, Decimal128):
            self._held_decimals = True
            self._decimals = DECIMAL.add(self._decimals, sign * value.to_decimal())
        elif isinstance(value, float):
            self._doubles.add(sign * value)
        else:
            self._integers += sign * value
            for part in halves(value) if is_long(value) else (float(value),):
                self._doubles.add(sign * part)

    @property
    def double(self) -> float:
        """All that is no decimal."""
        beyond = self._not_finite()
        if beyond is not None:
            return beyond
        if not self._kinds[float] and fits_long(self._integers):
            return float(self._integers)
        # A sum that ever held a decimal is kept as one, with more digits, and rounded at the end.
        return to_float(from_decimal(self.decimal())) if self._held_decimals else self._doubles.value

    def result(self) -> Number:
        """Returns the sum; an int wherever it fits one, even of longs."""
        if self._kinds[Decimal128]:
            return from_decimal(self.decimal())
        if self._kinds[float]:
            return self.double
        return integer(self._integers) if fits_long(self._integers) else self._doubles.value

    def decimal(self) -> Decimal:
        """Returns the sum as a decimal."""
        beyond = self._not_finite()
        if beyond is not None:
            return Decimal(beyond)
        rest = decimal_of(self._doubles) if self._kinds[float] else Decimal(self._integers)
        return DECIMAL.add(self._decimals, rest)

    @property
    def has_decimals(self) -> bool:
        """True while a decimal is in the sum."""
        return self._kinds[Decimal128] > 0

    def _not_finite(self) -> float | None:
        high, low = self._beyond["inf"], self._beyond["-inf"]
        if self._beyond["nan"] or (high and low):
            return math.nan
        return math.inf if high else -math.inf if low else None


class SlidingSum:
    """`$sum` over a window that slides."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = SlidingTotal()

    def add(self, value: Any) -> None:
        if is_number(value):
            self.total.add(value)

    def remove(self, value: Any) -> None:
        if is_number(value):
            self.total.remove(value)

    def result(self) -> Any:
        return self.total.result()


class SlidingAverage(SlidingSum):
    """`$avg` over a window that slides; null for no number."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def add(self, value: Any) -> None:
        super().add(value)
        self.count += is_number(value)

    def remove(self, value: Any) -> None:
        super().remove(value)
        self.count -= is_number(value)

    def result(self) -> Any:
        if not self.count:
            return None
        if self.total.has_decimals:
            return from_decimal(DECIMAL.divide(self.total.decimal(), self.count))
        return self.total.double / self.count


class SlidingDeviation:
    """`$stdDevPop` or `$stdDevSamp` over a window that slides; null while it holds what is not finite.

    Formula: with the sum S and the count n of the numbers, x comes as Q += (xn - S)² / n(n + 1), and leaves
    as Q -= (xn - S)² / n(n - 1), where S and n still count it. Variance: Q / n, of a sample Q / (n - 1).
    """

    __slots__ = ("_beyond", "_count", "_sample", "_squares", "_total")

    def __init__(self, *, sample: bool) -> None:
        self._sample = sample
        self._count = self._beyond = 0
        self._total, self._squares = CompensatedSum(), CompensatedSum()

    def add(self, value: Any) -> None:
        if not is_number(value):
            return
        number = to_float(value)
        if not math.isfinite(number):
            self._beyond += 1
            return
        count = self._count
        if count:
            distance = number * count - self._total.value
            self._squares.add(distance * distance / (count * (count + 1)))
        self._total.add(number)
        self._count += 1

    def remove(self, value: Any) -> None:
        if not is_number(value):
            return
        number = to_float(value)
        if not math.isfinite(number):
            self._beyond -= 1
            return
        count = self._count
        if count > 1:
            distance = number * count - self._total.value
            self._squares.add(-(distance * distance / (count * (count - 1))))
        self._total.add(-number)
        self._count -= 1

    def result(self) -> Any:
        divisor = self._count - self._sample
        if self._beyond or divisor == 0:
            return None
        if divisor < 0:  # a sample of none: the root of 0 / -1
            return -0.0
        if self._squares.value < 0:  # rounding took away more than there was: the server begins again
            self._squares = CompensatedSum()
            return 0
        return math.sqrt(self._squares.value / divisor) if self._count > 1 else 0
