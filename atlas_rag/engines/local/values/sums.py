"""Sums whose rounding does not depend on the order of the numbers."""

from __future__ import annotations

import math
from decimal import Decimal

from bson import Decimal128

from atlas_rag.engines.local.values.numbers import DECIMAL, Number, fits_long, from_decimal, integer, is_long


class Total:
    """A running sum of numbers of any type.

    Integers add up exactly, doubles with a compensation, decimals to 34 digits. The result has the widest
    type that was added; integers that leave 64 bits become a double.
    """

    __slots__ = ("decimals", "doubles", "has_double", "integers", "long")

    def __init__(self) -> None:
        self.integers = 0
        self.doubles: list[float] = []
        self.decimals: Decimal | None = None
        self.has_double = self.long = False

    def add(self, value: Number) -> None:
        """Adds one number."""
        if isinstance(value, float):
            self.has_double = True
            self.doubles.append(value)
        elif isinstance(value, Decimal128):
            before = self.decimals if self.decimals is not None else Decimal(0)
            self.decimals = DECIMAL.add(before, value.to_decimal())
        else:
            self.integers += value
            self.long = self.long or is_long(value)

    def double(self) -> float:
        """Returns the sum of all that is no decimal, as a double."""
        parts = [*self.doubles, *_halves(self.integers)]
        try:
            return math.fsum(parts)
        except (OverflowError, ValueError):  # infinities of both signs, or an overflow on the way
            return sum(parts)

    def decimal(self) -> Decimal:
        """Returns the sum as a decimal."""
        rest = Decimal(self.integers)
        if self.has_double:
            rest = DECIMAL.create_decimal(Decimal(self.double()))
        return DECIMAL.add(self.decimals if self.decimals is not None else Decimal(0), rest)

    def result(self) -> Number:
        """Returns the sum in the widest type added; an int 0 for nothing."""
        if self.decimals is not None:
            return from_decimal(self.decimal())
        if self.has_double:
            return self.double()
        if not fits_long(self.integers):
            return float(self.integers)
        return integer(self.integers, long=self.long)


def _halves(value: int) -> tuple[float, float]:
    """Returns two doubles that add up to an integer exactly, as far as 106 bits go."""
    high = float(value)
    return high, float(value - int(high))
