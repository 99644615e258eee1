"""Which rows of a partition a window covers, for each of its rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.dates.units import UNITS, add
from atlas_rag.inprocess.mql.expressions.define import constant_value
from atlas_rag.inprocess.mql.expressions.operators.arithmetic import add as plus
from atlas_rag.inprocess.mql.expressions.scope import Scope
from atlas_rag.inprocess.mql.values import compare, sort_key, type_name
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_float, whole
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field

Span = tuple[int, int]
Spans = Callable[[Sequence[Any]], list[Span]]


class Bounds(NamedTuple):
    """Where windows begin and end.

    Args:
        spans: takes the sort values of one partition, gives a half-open span of positions per row.
        slides: rows leave the window again. Windows by number do unless they begin with the partition; a
            server takes every window by range for one that does.
    """

    spans: Spans
    slides: bool


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


def compile_bounds(window: Any, sort: WindowSort, scope: Scope) -> Bounds:
    """Returns the bounds of a `window` argument. Raises code 9, 5339900, 5339901, 5339902."""
    if not isinstance(window, Mapping):
        raise CommandError(9, "'window' field must be an object")
    _check_fields(window)
    if "documents" in window:
        return _by_documents(window["documents"], sort.is_given, scope)
    return _by_range(window, sort, scope) if "range" in window else WHOLE_PARTITION


def _check_fields(window: Mapping[str, Any]) -> None:
    if "documents" in window and "range" in window:
        raise CommandError(9, "Window bounds can specify either 'documents' or 'unit', not both.")
    if "unit" in window and "range" not in window:
        raise CommandError(9, "Window bounds can only specify 'unit' with range-based bounds.")
    if "documents" in window and len(window) > 1:
        raise CommandError(9, "'window' field that specifies documents cannot have other fields")
    if window and "documents" not in window and "range" not in window:
        text = "'documents' as the only argument or 'range' with an optional 'unit' field"
        raise CommandError(9, f"'window' field can only contain {text}")


def _pair(name: str, argument: Any) -> list[Any]:
    if not isinstance(argument, list) or len(argument) != 2:
        raise CommandError(9, f"Window bounds must be a 2-element array: {render_field(name, argument)}")
    return argument


def _bound(given: Any, accepts: Callable[[Any], bool], expected: str, scope: Scope) -> Any:
    """Returns "unbounded", "current" or the number that a constant expression gives."""
    if isinstance(given, str):
        if given not in ("unbounded", "current"):
            raise CommandError(9, "Window bounds must be 'unbounded', 'current', or a number.")
        return given
    value = constant_value(given, scope, 9, "Window bounds expression must be a constant.")
    if not accepts(value):
        raise CommandError(9, expected)
    return value


def _by_documents(argument: Any, has_sort: bool, scope: Scope) -> Bounds:
    expected = "Numeric document-based bounds must be an integer"
    lower, upper = (_bound(one, is_int32, expected, scope) for one in _pair("documents", argument))
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
    if lower is not None and upper is not None and compare(lower, upper) > 0:
        raise CommandError(
            5339900, f"Lower bound must not exceed upper bound: [{shown(lower)}, {shown(upper)}]"
        )


def _by_range(window: Mapping[str, Any], sort: WindowSort, scope: Scope) -> Bounds:
    pair, unit = _pair("range", window["range"]), window.get("unit")
    if len(window) > (2 if "unit" in window else 1):
        mine, other = ("unit", "range") if "unit" in window else ("range", "unit")
        text = f"'window' field that specifies {mine} cannot have other fields besides '{other}'"
        raise CommandError(9, text)
    if "unit" in window and not isinstance(unit, str):
        raise CommandError(9, "'unit' must be a string")
    if unit is None:
        accepts, expected = is_number, "Range-based bounds expression must be a number"
    else:
        accepts, expected = is_int32, "With 'unit', range-based bounds must be an integer"
    lower, upper = (_bound(one, accepts, expected, scope) for one in pair)
    distance = _distance if unit is None else _offset
    _check_order(distance(lower), distance(upper))
    if unit is not None and unit not in UNITS:
        raise CommandError(9, f"unknown time unit value: {unit}")
    if not sort.is_single:
        raise CommandError(5339902, "Range-based bounds require sortBy a single field")

    def spans(values: Sequence[Any]) -> list[Span]:
        if not sort.is_ascending:
            raise CommandError(5429404, "Missing _sortExpr with range-based bounds")
        keys = [sort_key(value) for value in values]
        found = []
        for at, value in enumerate(watched(values)):
            _check_value(value, unit)
            start, end = 0, len(keys)
            if lower == "current":  # this document, not its peers: a server takes 0 for those
                start = at
            elif lower != "unbounded":
                start = _place(keys, value, lower, unit, bisect_left)
            if upper == "current":
                end = at + 1
            elif upper != "unbounded":
                end = _place(keys, value, upper, unit, bisect_right)
            found.append((start, max(start, end)))
        return found

    return Bounds(spans, slides=True)


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


def _place(
    keys: Sequence[Any], value: Any, bound: Any, unit: str | None, bisect: Callable[[Sequence[Any], Any], int]
) -> int:
    """Returns the place of a value that lies that far from another."""
    if unit is None:
        return bisect(keys, sort_key(plus((value, bound))))
    amount = whole(bound) or 0
    try:
        return bisect(keys, sort_key(add(value, unit, amount, UTC)))
    except OverflowError:  # beyond every date there is
        return len(keys) if amount > 0 else 0
