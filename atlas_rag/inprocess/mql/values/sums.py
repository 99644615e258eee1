"""Sums of numbers of any type, rounded as the server rounds them."""

from __future__ import annotations

import math
from decimal import Decimal

from bson import Decimal128

from atlas_rag.fusion import CompensatedSum
from atlas_rag.inprocess.mql.values.numbers import DECIMAL, Number, fits_long, from_decimal, integer, is_long
from atlas_rag.inprocess.mql.values.types import INT32_MAX, INT32_MIN

_EXACT = 2**53


class Total:
    """A running sum of numbers of any type.

    Integers add up exactly, doubles with the server's own compensation, decimals to 34 digits. The result
    has the widest type that was added; integers that leave 64 bits become a double.
    """

    __slots__ = ("_doubles", "_rounds", "decimals", "has_double", "integers", "long")

    def __init__(self) -> None:
        self.integers = 0
        self.decimals: Decimal | None = None
        self.has_double = self.long = False
        self._doubles = CompensatedSum()
        self._rounds = False  # until now all partial sums were whole numbers that a double holds exactly

    def add(self, value: Number) -> None:
        """Adds one number."""
        if value.__class__ is int and not self._rounds:
            total = self.integers + value
            if -_EXACT <= total <= _EXACT:  # the common case: nothing can round
                self.integers = total
                self.long = self.long or not INT32_MIN <= value <= INT32_MAX
                return
        if isinstance(value, float):
            self.has_double = True
            self._start_rounding()
            self._doubles.add(value)
        elif isinstance(value, Decimal128):
            before = self.decimals if self.decimals is not None else Decimal(0)
            self.decimals = DECIMAL.add(before, value.to_decimal())
        else:
            self._add_integer(value)

    def double(self) -> float:
        """Returns the sum of all that is no decimal, as a double."""
        return self._doubles.value if self._rounds else float(self.integers)

    def decimal(self) -> Decimal:
        """Returns the sum as a decimal."""
        rest = decimal_of(self._doubles) if self.has_double else Decimal(self.integers)
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

    def _add_integer(self, value: int) -> None:
        self.long = self.long or is_long(value)
        if not self._rounds and abs(self.integers + value) > _EXACT:
            self._start_rounding()
        self.integers += value
        if self._rounds:
            for half in halves(value):
                self._doubles.add(half)

    def _start_rounding(self) -> None:
        if not self._rounds:
            self._rounds = True
            self._doubles.add(float(self.integers))


def decimal_of(doubles: CompensatedSum) -> Decimal:
    """Returns a sum of doubles with what rounding left over, to 34 digits."""
    total, leftover = doubles.parts
    exact = DECIMAL.create_decimal(Decimal(total))
    return DECIMAL.add(exact, Decimal(leftover)) if math.isfinite(leftover) else exact


def halves(value: int) -> tuple[float, float]:
    """Returns the lower 32 bits and the rest of an integer, in the order in which the server adds them."""
    low = abs(value) & 0xFFFFFFFF
    low = low if value >= 0 else -low
    return float(low), float(value - low)
