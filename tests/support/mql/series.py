"""Strategies of pipelines on series: `$densify`, `$fill`, and the window functions that look along a field.

The series itself is part of the pipeline: documents get the values of its fields by their `_id`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bson import Decimal128, Int64
from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]
Stage = dict[str, Any]
INTEGERS = [-3, -1, 0, 1, 2, 5, 8]
REALS = [*INTEGERS, -1.5, 0.1, 0.7, 2.5, 5.0, 1e3, Int64(4), Int64(2**40)]
NUMBERS = [*REALS, Decimal128("0.1"), Decimal128("2.50"), Decimal128("-4")]
DATES = [
    datetime(2020, 1, 31),
    datetime(2020, 2, 1, 12),
    datetime(2020, 2, 29, 23, 59, 59, 999000),
    datetime(2020, 3, 1),
    datetime(2021, 6, 15, 6, 30),
]
units = st.sampled_from(["week", "day", "hour"])


@st.composite
def _column(draw: st.DrawFn, values: Strategy, *, unique: bool, size: int = 2) -> Any:
    """The values of one field, by `_id`; documents beyond the last have none."""
    column = draw(st.lists(values, min_size=size, max_size=4, unique_by=repr if unique else None))
    return {"$arrayElemAt": [{"$literal": column}, "$_id"]}


@st.composite
def _series(
    draw: st.DrawFn, positions: list[Any], values: list[Any], parts: Sequence[Any] = (1, 1.0, "a", None)
) -> Stage:
    gaps = st.one_of(st.sampled_from(values), st.sampled_from(values), st.none())
    return {
        "$set": {
            "t": draw(_column(st.sampled_from(positions), unique=draw(st.integers(0, 5)) > 0)),
            "x": draw(_column(gaps if draw(st.booleans()) else st.sampled_from(values), unique=False)),
            "y": draw(_column(st.sampled_from(values), unique=False, size=4)),
            "p": draw(_column(st.sampled_from(parts), unique=False)),
        }
    }


documents_windows = st.builds(
    lambda low, high: {"documents": [low, high]},
    st.sampled_from(["unbounded", -2, -1, 0, "current"]),
    st.sampled_from(["unbounded", 0, 1, 2, "current"]),
)
range_windows = st.builds(
    lambda low, high: {"range": [low, high]}, st.sampled_from([-3, -1.5]), st.sampled_from([2, "current"])
)


@st.composite
def _window_function(draw: st.DrawFn, *, dated: bool) -> dict[str, Any]:
    name = draw(st.sampled_from(FUNCTIONS))
    if name in ("$locf", "$linearFill"):
        return {name: "$x"}
    if name == "$expMovingAvg":
        return {name: {"input": "$x", **draw(st.sampled_from([{"N": 1}, {"N": 4}, {"alpha": 0.3}]))}}
    window = draw(
        documents_windows
        if dated or name.startswith("$covariance")
        else st.one_of(documents_windows, range_windows)
    )
    if name in ("$derivative", "$integral"):
        unit = draw(st.booleans()) if draw(st.integers(0, 4)) == 0 else dated
        return {name: {"input": "$x", **({"unit": draw(units)} if unit else {})}, "window": window}
    if name.startswith("$stdDev"):  # of fewer numbers than it needs the server makes negative zeros
        return {name: "$y", "window": {"documents": draw(st.sampled_from([[-2, 0], [-1, 1], [-1, 0]]))}}
    return {name: ["$x", "$y"] if name.startswith("$covariance") else "$x", "window": window}


FUNCTIONS = ["$locf", "$linearFill", "$expMovingAvg", "$derivative", "$integral", "$covariancePop"]
FUNCTIONS += [
    "$covarianceSamp",
    "$sum",
    "$avg",
    "$first",
    "$last",
    "$min",
    "$max",
    "$push",
    "$stdDevPop",
    "$stdDevSamp",
]


@st.composite
def window_pipelines(draw: st.DrawFn) -> list[Stage]:
    """One window function along numbers or dates, now and then on values that it refuses."""
    dated = draw(st.booleans())
    function = draw(_window_function(dated=dated))
    # What covariance does to decimals, and what is not finite, is among the known differences.
    values = REALS if next(iter(function)).startswith("$covariance") else NUMBERS
    argument: Stage = {
        "sortBy": {"t": draw(st.sampled_from([1, 1, -1]))},
        "output": {draw(st.sampled_from(["w", "w", "a", "a.w", "o.w.v"])): function},
    }
    # Of these the server remembers something from the partition before.
    remembered = ("$linearFill", "$derivative", "$expMovingAvg")
    if next(iter(function)) not in remembered and draw(st.integers(0, 3)) == 0:
        argument["partitionBy"] = draw(st.sampled_from(["$f", "$p", {"$type": "$a"}]))
    return [draw(_series(DATES if dated else NUMBERS, values)), {"$setWindowFields": argument}]


@st.composite
def range_pipelines(draw: st.DrawFn) -> list[Stage]:
    """A window by distance along a field in which values repeat; now and then bounds that it refuses."""
    dated = draw(st.booleans())
    steps = [-1, 0, 1, 2] if dated else [-2, -0.5, 0, 0.0, 1, Int64(3), Decimal128("0.5")]
    bounds = st.one_of(st.sampled_from(["unbounded", "current"]), st.sampled_from(steps))
    window: Stage = {"range": [draw(bounds), draw(bounds)]}
    if dated or draw(st.integers(0, 15)) == 0:
        window["unit"] = draw(st.sampled_from(["month", "week", "day", "hour", "millisecond"]))
    function = draw(st.sampled_from(["$push", "$push", "$sum", "$avg", "$first", "$last", "$min", "$max"]))
    positions = st.sampled_from(DATES[:3] if dated else [*INTEGERS, 1.0, 1.5, Decimal128("2"), Int64(0)])
    if draw(st.integers(0, 15)) == 0:
        positions = st.one_of(positions, st.sampled_from([None, "x"]))
    series = draw(_series(DATES, NUMBERS))
    series["$set"]["t"] = draw(_column(positions, unique=False, size=4))
    output = {"w": {function: draw(st.sampled_from(["$x", "$y", "$_id"])), "window": window}}
    sort_by = {"t": draw(st.sampled_from([1, 1, 1, 1, 1, 1, 1, -1]))}
    return [series, {"$setWindowFields": {"sortBy": sort_by, "output": output}}]


@st.composite
def fill_pipelines(draw: st.DrawFn) -> list[Stage]:
    """A field filled by a value or a method."""
    output = draw(
        st.sampled_from(
            [{"value": 7}, {"value": "$y"}, {"method": "locf"}, {"method": "linear"}, {"method": "linear"}]
        )
    )
    argument: Stage = {"output": {draw(st.sampled_from(["x", "x", "a", "o.a", "l.a"])): output}}
    if draw(st.integers(0, 5)):
        argument["sortBy"] = {"t": draw(st.sampled_from([1, -1]))}
    if output.get("method") != "linear" and draw(st.integers(0, 3)) == 0:
        by = st.sampled_from([{"partitionByFields": ["f"]}, {"partitionBy": {"k": "$y"}}])
        argument.update(draw(by))
    return [draw(_series(draw(st.sampled_from([NUMBERS, DATES])), NUMBERS)), {"$fill": argument}]


@st.composite
def densify_pipelines(draw: st.DrawFn) -> list[Stage]:
    """Documents between those of a series, sorted afterwards: the server leaves partitions in hash order."""
    dated = draw(st.booleans())
    unit = draw(st.sampled_from(["month", "week", "day"])) if dated else None
    steps = [1, 2, 3.0] if dated else [1, 2, 0.7, 1.5, Int64(3), Decimal128("2.5")]
    given: Stage = {"step": draw(st.sampled_from(steps))}
    parted = draw(st.booleans())
    # Below a lower bound, or on it, partitions make the server forget what it has filled.
    if parted:
        bounds = st.just((datetime(2020, 1, 30), DATES[3]) if dated else (-4, 2))
    else:
        bounds = st.just((DATES[0], DATES[3])) if dated else st.sampled_from([(0, 4), (-1, 3), (-3, 0)])
    given["bounds"] = draw(st.one_of(st.just("full"), st.just("partition"), st.builds(list, bounds)))
    if unit and draw(st.integers(0, 9)):
        given["unit"] = unit
    argument: Stage = {"field": draw(st.sampled_from(["t", "t", "o.t"])), "range": given}
    if parted:
        argument["partitionByFields"] = draw(st.sampled_from([["p"], ["f", "p"], ["o.a"], ["t"]]))
    positions = DATES if dated else INTEGERS
    if draw(st.integers(0, 9)) == 0:
        positions = [*positions, "x", None]
    # Without null, which sorts like a missing field, and is a partition of its own beside it.
    series = draw(_series(positions, [1], parts=(1, 1.0, "a")))
    series["$set"]["o"] = {"t": series["$set"]["t"], "a": series["$set"]["p"]}
    # In this order, as the collection's own arrays are no part of it, nor of the answer.
    order = {"t": 1, "o.t": 1, "p": 1, "f": 1, "o.a": 1, "_id": 1}
    return [
        {"$project": {"f": 1}},
        series,
        {"$project": {"t": 1, "o": 1, "p": 1, "f": 1}},
        {"$densify": argument},
        {"$sort": order},
    ]


series_pipelines = st.one_of(
    window_pipelines(), window_pipelines(), range_pipelines(), fill_pipelines(), densify_pipelines()
)
