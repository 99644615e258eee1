"""Accumulators: what becomes of the values of one group.

Each is a state that takes values one by one; `ACCUMULATORS` names how each state begins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.operators.objects import merged
from atlas_rag.inprocess.mql.expressions.operators.sums import N_FUNCTIONS, greatest_n
from atlas_rag.inprocess.mql.values import MISSING, compare, sort_key, type_name
from atlas_rag.inprocess.mql.values.numbers import DECIMAL, from_decimal, to_float
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.sums import Total
from atlas_rag.inprocess.mql.values.types import is_number


class State(Protocol):
    """The running value of one accumulator in one group."""

    def add(self, value: Any) -> None:
        """Takes the next value, which may be missing."""
        ...

    def result(self) -> Any:
        """Returns the accumulated value."""
        ...


class Sum:
    """Sum of numbers; 0 for none."""

    __slots__ = ("total",)

    def __init__(self) -> None:
        self.total = Total()

    def add(self, value: Any) -> None:
        if is_number(value):
            self.total.add(value)

    def result(self) -> Any:
        return self.total.result()


class Average:
    """Mean of numbers; null for none."""

    __slots__ = ("count", "total")

    def __init__(self) -> None:
        self.total, self.count = Total(), 0

    def add(self, value: Any) -> None:
        if is_number(value):
            self.total.add(value)
            self.count += 1

    def result(self) -> Any:
        if not self.count:
            return None
        if self.total.decimals is not None:
            return from_decimal(DECIMAL.divide(self.total.decimal(), self.count))
        return self.total.double() / self.count


class Extreme:
    """Least (sign -1) or greatest (sign 1) value that is neither null nor missing; null for none.

    Of values that are equal it is the first one, or the last one if `takes_last`.
    """

    __slots__ = ("sign", "takes_last", "value")

    def __init__(self, sign: int, *, takes_last: bool = False) -> None:
        self.sign, self.takes_last, self.value = sign, takes_last, MISSING

    def add(self, value: Any) -> None:
        if value is None or value is MISSING:
            return
        order = self.sign if self.value is MISSING else compare(value, self.value)
        if order == self.sign or (order == 0 and self.takes_last):
            self.value = value

    def result(self) -> Any:
        return None if self.value is MISSING else self.value


class First:
    """First value, null if that was missing."""

    __slots__ = ("is_set", "value")

    def __init__(self) -> None:
        self.value, self.is_set = None, False

    def add(self, value: Any) -> None:
        if not self.is_set:
            self.value, self.is_set = value, True

    def result(self) -> Any:
        return None if self.value is MISSING else self.value


class Last:
    """Last value, null if that was missing."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: Any = None

    def add(self, value: Any) -> None:
        self.value = value

    def result(self) -> Any:
        return None if self.value is MISSING else self.value


class Push:
    """All values in order, without missing ones."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Any] = []

    def add(self, value: Any) -> None:
        if value is not MISSING:
            self.items.append(value)

    def result(self) -> Any:
        return self.items


class AddToSet:
    """Distinct values, in the order of their first appearance."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: dict[Key, Any] = {}

    def add(self, value: Any) -> None:
        if value is not MISSING:
            self.items.setdefault(sort_key(value), value)

    def result(self) -> Any:
        return list(self.items.values())


class ConcatArrays:
    """One array with the elements of all, in order; missing values are passed over."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[Any] = []

    def add(self, value: Any) -> None:
        self.items += _array("$concatArrays", value)

    def result(self) -> Any:
        return self.items


class SetUnion:
    """The distinct elements of all arrays, in the order of their first appearance."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: dict[Key, Any] = {}

    def add(self, value: Any) -> None:
        for item in _array("$setUnion", value):
            self.items.setdefault(sort_key(item), item)

    def result(self) -> Any:
        return list(self.items.values())


def _array(name: str, value: Any) -> list[Any]:
    if value is MISSING:
        return []
    if not isinstance(value, list):
        raise CommandError(14, f"{name} requires array inputs, but input is of type {type_name(value)}")
    return value


class MergeObjects:
    """One document with the fields of all."""

    __slots__ = ("document",)

    def __init__(self) -> None:
        self.document: dict[str, Any] = {}

    def add(self, value: Any) -> None:
        if value is None or value is MISSING:
            return
        if not isinstance(value, Mapping):
            raise CommandError(5911200, "$mergeObjects only supports objects")
        self.document = merged((self.document, value))

    def result(self) -> Any:
        return self.document


class Deviation:
    """Standard deviation in one pass (Welford's method), of a population or a sample."""

    __slots__ = ("count", "mean", "sample", "squares")

    def __init__(self, sample: bool) -> None:
        self.sample, self.count, self.mean, self.squares = sample, 0, 0.0, 0.0

    def add(self, value: Any) -> None:
        if is_number(value):
            number = to_float(value)
            self.count += 1
            delta = number - self.mean
            self.mean += delta / self.count
            self.squares += delta * (number - self.mean)

    def result(self) -> Any:
        if self.count <= self.sample:
            return None
        variance = self.squares / (self.count - self.sample)
        return math.sqrt(variance) if variance >= 0 else math.nan


class Gathered:
    """`$firstN`, `$lastN`, `$minN`, `$maxN`: keeps the values, then chooses `count` of them."""

    __slots__ = ("choose", "count", "items")

    def __init__(self, choose: Callable[[Sequence[Any], int], list[Any]], count: int) -> None:
        self.choose, self.count, self.items = choose, count, list[Any]()

    def add(self, value: Any) -> None:
        self.items.append(value)

    def result(self) -> Any:
        return self.choose(self.items, self.count)


def _last_greatest(items: Sequence[Any], count: int) -> list[Any]:
    return greatest_n(items, len(items))[:count]


# What is chosen in windows that rows leave: of equal values the last one, not the first one, is the greatest.
SLIDING_N = {**N_FUNCTIONS, "$maxN": _last_greatest}


class Numbers:
    """`$percentile` and `$median`: keeps the numbers, and makes the result of all of them."""

    __slots__ = ("numbers", "of_numbers")

    def __init__(self, of_numbers: Callable[[Sequence[float]], Any]) -> None:
        self.of_numbers, self.numbers = of_numbers, list[float]()

    def add(self, value: Any) -> None:
        if is_number(value):
            self.numbers.append(to_float(value))

    def result(self) -> Any:
        return self.of_numbers(self.numbers)


SIMPLE: dict[str, Callable[[], State]] = {
    "$sum": Sum,
    "$avg": Average,
    "$min": lambda: Extreme(-1),
    "$max": lambda: Extreme(1),
    "$first": First,
    "$last": Last,
    "$push": Push,
    "$addToSet": AddToSet,
    "$concatArrays": ConcatArrays,
    "$setUnion": SetUnion,
    "$mergeObjects": MergeObjects,
    "$stdDevPop": lambda: Deviation(sample=False),
    "$stdDevSamp": lambda: Deviation(sample=True),
}

# Those of windows that rows leave, where they are others.
SLIDING: dict[str, Callable[[], State]] = {"$max": lambda: Extreme(1, takes_last=True)}
