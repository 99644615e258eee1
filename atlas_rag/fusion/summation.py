"""Sums of doubles as servers compute them. Python's own `sum` is neither (and changed in 3.12)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def chained_sum(values: Iterable[float]) -> float:
    """Plain addition from left to right.

    Source: how `$rankFusion` adds up contributions on 8.x: only this order gives the server suite's own
    0.048915917503966164 for 1/61, 1/62, 1/61 (R8 of server_stages C.7).
    """
    total = 0.0
    for value in values:
        total += value
    return total


def compensated_sum(values: Iterable[float]) -> float:
    """The compensated sum in the order given: `$sum` and `$avg`, and on 6.0 `$add`.

    Formula: with (s, a) the running sum and what rounding left over, and TwoSum as Knuth has it,
        (y, c) = TwoSum(x, a);  (s, y) = TwoSum(s, y);  a = y + c.
    The answer is s; the leftover is not folded in. For two values this is plain x + y; for more it can
    differ in the last bit from both the left-to-right and the correctly rounded sum.
    Source: measured on mongod 6.0.5, 3,000 random sums of 2 to 6 values: no difference (left-to-right
    addition differs in 600, the correctly rounded sum in 180).
    """
    total = leftover = special = 0.0
    for value in values:
        special += value
        head = value + leftover
        shift = head - value
        tail = (value - (head - shift)) + (leftover - shift)
        before = total
        total = before + head
        shift = total - before
        leftover = ((before - (total - shift)) + (head - shift)) + tail
    return special if math.isnan(total) else total


def server_mean(values: Sequence[float]) -> float:
    """The server's `$avg` of at least one double: its compensated sum, divided once by the count."""
    return compensated_sum(values) / len(values)
