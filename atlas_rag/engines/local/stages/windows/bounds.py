"""Which rows of a partition a window covers, for each of its rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from atlas_rag.engines.local.expressions.dates.units import UNITS, add
from atlas_rag.engines.local.expressions.operators.arithmetic import add as plus
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render_field
from atlas_rag.engines.local.values import sort_key, type_name
from atlas_rag.engines.local.values.numbers import to_decimal, to_float, whole
from atlas_rag.engines.local.values.types import is_number

Span = tuple[int, int]
Spans = Callable[[Sequence[Any]], list[Span]]


class Bounds(NamedTuple):
    """Where windows begin and end.

    Args:
        spans: takes the sort values of one partition, gives a half-open span of positions per row.
        slides: rows leave the window again, as they do unless it begins with the partition.
    """

    spans: Spans
    slides: bool


_BOTH = "Window bounds can specify either 'documents' or 'unit', not both."
_ONLY = (
    "'window' field can only contain 'documents' as the only argument "
    "or 'range' with an optional 'unit' field"
)


# The window without bounds.
WHOLE_PARTITION = Bounds(lambda values: [(0, len(values))] * len(values), slides=False)


class WindowSort:
    """What a window may ask of the stage's `sortBy`: how many fields, which way."""

    def __init__(self, pattern: Mapping[str, Any] | None) -> None:
        self.pattern = pattern or {}
        self.is_given = pattern is not None  # it may be empty

    @property
    def is_single(self) -> bool:
        """True if one field decides."""
        return len(self.pattern) == 1

    @property
    def is_ascending(self) -> bool:
        """True if every field ascends."""
        return all(is_number(way) and to_float(way) > 0 for way in self.pattern.values())


def compile_bounds(window: Any, sort: WindowSort) -> Bounds:
    """Returns the bounds of a `window` argument. Raises code 9, 5339900, 5339901, 5339902."""
    if not isinstance(window, Mapping):
        raise CommandError(9, "'window' field must be an object")
    if not set(window) <= {"documents", "range", "unit"}:
        raise CommandError(9, _ONLY)
    if "documents" in window and len(window) > 1:
        raise CommandError(9, _BOTH)
    if "documents" in window:
        return _by_documents(window["documents"], sort.is_given)
    if "range" in window:
        return _by_range(window["range"], window.get("unit"), sort)
    if "unit" in window:
        raise CommandError(9, "Window bounds can only specify 'unit' with range-based bounds.")
    return WHOLE_PARTITION


def _pair(name: str, argument: Any) -> tuple[Any, Any]:
    if not isinstance(argument, list) or len(argument) != 2:
        raise CommandError(9, f"Window bounds must be a 2-element array: {render_field(name, argument)}")
    for bound in argument:
        if bound not in ("unbounded", "current") and not is_number(bound):
            raise CommandError(9, "Window bounds must be 'unbounded', 'current', or a number.")
    return argument[0], argument[1]


def _by_documents(argument: Any, has_sort: bool) -> Bounds:
    lower, upper = _pair("documents", argument)
    for bound in (lower, upper):
        if is_number(bound) and whole(bound) is None:
            raise CommandError(9, "Numeric document-based bounds must be an integer")
    first, last = _offset(lower), _offset(upper)
    _check_order(first, last)
    if (lower, upper) != ("unbounded", "unbounded") and not has_sort:
        raise CommandError(5339901, "Document-based bounds require a sortBy")

    def spans(values: Sequence[Any]) -> list[Span]:
        count = len(values)
        return [
            (
                0 if first is None else min(max(at + first, 0), count),
                count if last is None else min(max(at + last + 1, 0), count),
            )
            for at in range(count)
        ]

    return Bounds(spans, slides=first is not None)


def _offset(bound: Any) -> int | None:
    """Returns a bound as a distance in rows; None for unbounded."""
    return None if bound == "unbounded" else 0 if bound == "current" else whole(bound)


def _check_order(lower: Any, upper: Any) -> None:
    """Refuses a window that ends before it begins; None is unbounded."""
    if lower is not None and upper is not None and to_decimal(lower) > to_decimal(upper):
        raise CommandError(5339900, f"Lower bound must not exceed upper bound: [{lower}, {upper}]")


def _by_range(argument: Any, unit: Any, sort: WindowSort) -> Bounds:
    lower, upper = _pair("range", argument)
    if unit is not None and unit not in UNITS:
        raise CommandError(9, f"unknown time unit value: {unit}")
    if not sort.is_single:
        raise CommandError(5339902, "Range-based bounds require sortBy a single field")
    _check_order(_distance(lower), _distance(upper))

    def spans(values: Sequence[Any]) -> list[Span]:
        if not sort.is_ascending:
            raise CommandError(5429404, "Missing _sortExpr with range-based bounds")
        keys = [sort_key(value) for value in values]
        found = []
        for value in values:
            _check_value(value, unit)
            start = 0 if lower == "unbounded" else bisect_left(keys, sort_key(_moved(value, lower, unit)))
            end = (
                len(keys)
                if upper == "unbounded"
                else bisect_right(keys, sort_key(_moved(value, upper, unit)))
            )
            found.append((start, max(start, end)))
        return found

    return Bounds(spans, slides=lower != "unbounded")


def _distance(bound: Any) -> Any:
    """Returns a bound as a distance in values; None for unbounded."""
    return None if bound == "unbounded" else 0 if bound == "current" else bound


def _check_value(value: Any, unit: str | None) -> None:
    kind = type_name(value)
    if unit is not None and kind != "date":
        text = f"Expected the sortBy field to be a Date, but it was {kind}"
        raise CommandError(5429513, f"Invalid range: {text}")
    if unit is None and kind == "date":
        text = "For windows that involve date or time ranges, a unit must be provided."
        raise CommandError(5429413, f"Invalid range: {text}")
    if unit is None and not is_number(value):
        text = f"Expected the sortBy field to be a number, but it was {kind}"
        raise CommandError(5429414, f"Invalid range: {text}")


def _moved(value: Any, bound: Any, unit: str | None) -> Any:
    if bound == "current":
        return value
    if isinstance(value, datetime) and unit is not None:
        return add(value, unit, whole(bound) or 0, UTC)
    return plus((value, bound))
