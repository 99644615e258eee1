"""Accumulators over windows: from the state they had where a window grows or slides, else anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.stages.grouping.accumulator_parser import Accumulator, compile_call
from atlas_rag.inprocess.mql.stages.grouping.accumulators import State
from atlas_rag.inprocess.mql.stages.grouping.ranked import RANKED
from atlas_rag.inprocess.mql.stages.windows.bounds import Bounds
from atlas_rag.inprocess.mql.stages.windows.call import Call, WindowFunction
from atlas_rag.inprocess.mql.stages.windows.sliding import SlidingAverage, SlidingDeviation, SlidingSum
from atlas_rag.inprocess.mql.values.row import Row


class Removable(State, Protocol):
    """A state that values can be taken out of again, in the order in which they came."""

    def remove(self, value: Any) -> None: ...


_SLIDING: dict[str, Callable[[], Removable]] = {
    "$sum": SlidingSum,
    "$avg": SlidingAverage,
    "$stdDevPop": lambda: SlidingDeviation(sample=False),
    "$stdDevSamp": lambda: SlidingDeviation(sample=True),
}


def accumulated(call: Call) -> WindowFunction:
    """Returns the function of an accumulator over each row's window."""
    accumulator, bounds = call.read(lambda argument: _accumulator(call, argument))
    if call.name in _AT_AN_END:
        return _at_an_end(accumulator.input, bounds, _AT_AN_END[call.name])
    if bounds.slides and call.name in _SLIDING:
        return over_window(accumulator.input, _SLIDING[call.name], bounds)

    start = accumulator.sliding if bounds.slides and accumulator.sliding else accumulator.start

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [accumulator.input(row, variables) for row in watched(rows)]
        return _growing(inputs, bounds, values, lambda: start(Row({}), variables))

    return function


def _accumulator(call: Call, argument: Any) -> Accumulator:
    if call.name == "$count" and argument != {}:
        raise CommandError(9, "$count only accepts an empty object as input")
    accumulator = compile_call(call.name, argument, call.scope)
    if call.name in RANKED and isinstance(argument["sortBy"], list):
        text = f"expected 'sortBy' to already be an object in the arguments to {call.name}"
        raise CommandError(5788604, text)
    return accumulator


# Where in its window the row stands whose value is taken as it is, missing ones too.
_AT_AN_END = {"$first": 0, "$last": -1}


def _at_an_end(expression: Evaluate, bounds: Bounds, place: int) -> WindowFunction:
    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [expression(row, variables) for row in watched(rows)]
        spans = bounds.spans(values)
        return [inputs[begin:end][place] if begin < end else None for begin, end in spans]

    return function


def over_window(expression: Evaluate, start: Callable[[], Removable], bounds: Bounds) -> WindowFunction:
    """Returns the function of a state that goes along with the window."""

    def function(rows: Sequence[Row], values: Sequence[Any], variables: Variables) -> list[Any]:
        inputs = [expression(row, variables) for row in watched(rows)]
        state, first, last = start(), 0, 0
        results: list[Any] = []
        for begin, end in watched(bounds.spans(values)):
            for value in watched(inputs[last:end]):
                state.add(value)
            for value in watched(inputs[first:begin]):
                state.remove(value)
            first, last = max(first, begin), max(last, end)
            results.append(state.result())
        return results

    return function


def _growing(
    inputs: Sequence[Any], bounds: Bounds, values: Sequence[Any], start: Callable[[], State]
) -> list[Any]:
    results: list[Any] = []
    state, covered = start(), (0, 0)
    for begin, end in watched(bounds.spans(values)):
        if (begin, end) == covered and results:
            results.append(results[-1])
            continue
        # A window that only grew goes on from the state it had.
        if begin != covered[0] or end < covered[1]:
            state, covered = start(), (begin, begin)
        for value in watched(inputs[covered[1] : end]):
            state.add(value)
        covered = (begin, end)
        result = state.result()
        results.append(list(result) if isinstance(result, list) else result)
    return results
