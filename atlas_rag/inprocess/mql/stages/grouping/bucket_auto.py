"""`$bucketAuto`: groups of about the same size along a value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate
from atlas_rag.inprocess.mql.stages.grouping.accumulator_parser import Accumulator, compile_accumulator
from atlas_rag.inprocess.mql.stages.grouping.bucket import is_path_or_expression
from atlas_rag.inprocess.mql.stages.grouping.granularity import Granularity, check_value, granularity
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import MISSING, sort_key, type_name
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_decimal, to_float
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.shown import shown_double
from atlas_rag.inprocess.mql.values.sorting import sorted_in_runs
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render

Bucket = list[tuple[Any, Row]]


@stage("$bucketAuto")
def bucket_auto(argument: Any, build: Build) -> Run:
    """Cuts the sorted values into buckets; equal values never part, nor do those below a rounded bound."""
    given = _read(argument, build)
    value, count, rounded = given["groupBy"], given["buckets"], given.get("granularity")
    outputs = given.get("output") or _output({"count": {"$sum": 1}}, build)
    build.forget_metadata()

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        check = _or_null if rounded is None else check_value
        keyed = [(check(value(row, variables)), row) for row in rows]
        keyed = sorted_in_runs(keyed, lambda pair: sort_key(pair[0]))
        buckets, ends = _cut(keyed, count, rounded)
        for bucket, bounds in zip(buckets, _bounds(buckets, ends, rounded), strict=True):
            yield Row({"_id": bounds, **_accumulated(bucket, outputs, bounds, variables)})

    return run


def _or_null(value: Any) -> Any:
    return None if value is MISSING else value


def _bounds(buckets: list[Bucket], ends: list[Any], rounded: Granularity | None) -> Iterator[dict[str, Any]]:
    """Yields the bounds of each bucket; one begins where the one before it ends."""
    for position, bucket in enumerate(buckets):
        if rounded is None:
            following = buckets[position + 1] if position + 1 < len(buckets) else bucket[-1:]
            yield {"min": bucket[0][0], "max": following[0][0]}
        else:
            least = ends[position - 1] if position else rounded.down(bucket[0][0])
            yield {"min": least, "max": ends[position]}


def _cut(keyed: Bucket, count: int, rounded: Granularity | None) -> tuple[list[Bucket], list[Any]]:
    """Returns at most `count` runs of about equal length, longer where values would part that must not.

    And where each of them ends: at the bound of the value that it was to end with.
    """
    size = max(round_half_up(len(keyed), count), 1)
    buckets: list[Bucket] = []
    ends: list[Any] = []
    start = 0
    while start < len(keyed):
        end = len(keyed) if len(buckets) == count - 1 else min(start + size, len(keyed))
        last = keyed[end - 1][0]
        after = keyed[min(end, len(keyed) - 1)][0]
        ends.append(last if rounded is None else rounded.between(last, after))
        bound = sort_key(ends[-1])
        while end < len(keyed) and _stays(sort_key(keyed[end][0]), bound, rounded is None):
            end += 1
        buckets.append(keyed[start:end])
        start = end
    return buckets, ends


def _stays(key: Key, bound: Key, bound_too: bool) -> bool:
    return key < bound or (bound_too and key == bound)


def round_half_up(total: int, parts: int) -> int:
    """Returns the quotient of two counts, rounded to the nearest."""
    return (2 * total + parts) // (2 * parts)


def _accumulated(
    bucket: Bucket,
    outputs: Mapping[str, Accumulator],
    bounds: Mapping[str, Any],
    variables: dict[str, Any],
) -> dict[str, Any]:
    results = {}
    for name, accumulator in outputs.items():
        state = accumulator.start(Row(bounds), variables)
        for _, row in watched(bucket):
            state.add(accumulator.input(row, variables))
        results[name] = state.result()
    return results


def _read(argument: Any, build: Build) -> dict[str, Any]:
    """Returns the options by name, each read as it comes."""
    if not isinstance(argument, Mapping):
        text = f"The argument to $bucketAuto must be an object, but found type: {type_name(argument)}"
        raise CommandError(40240, text)
    readers: dict[str, Callable[[Any], Any]] = {
        "groupBy": lambda value: _group_by(value, build),
        "buckets": _count,
        "output": lambda value: _output(value, build),
        "granularity": granularity,
    }
    given = read_in_order(argument, readers, (40245, "Unrecognized option to $bucketAuto: {}"))
    if "groupBy" not in given or "buckets" not in given:
        raise CommandError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified")
    if given["buckets"] <= 0:
        text = f"must be greater than 0, but found: {given['buckets']}"
        raise CommandError(40243, f"The $bucketAuto 'buckets' field {text}")
    return given


def _group_by(value: Any, build: Build) -> Evaluate:
    if not is_path_or_expression(value):
        text = f"must be defined as a $-prefixed path or an expression object, but found: {render(value)}"
        raise CommandError(40239, f"The $bucketAuto 'groupBy' field {text}")
    return compile_expression(value, build.scope)


def _count(value: Any) -> int:
    if not is_number(value):
        text = f"must be a numeric value, but found type: {type_name(value)}"
        raise CommandError(40241, f"The $bucketAuto 'buckets' field {text}")
    if not is_int32(value):
        text = f"must be representable as a 32-bit integer, but found {shown_double(to_float(value))}"
        raise CommandError(40242, f"The $bucketAuto 'buckets' field {text}")
    return int(to_decimal(value))


def _output(value: Any, build: Build) -> dict[str, Accumulator]:
    if not isinstance(value, Mapping):
        text = f"must be an object, but found type: {type_name(value)}"
        raise CommandError(40244, f"The $bucketAuto 'output' field {text}")
    return {name: compile_accumulator(name, accumulator, build.scope) for name, accumulator in value.items()}
