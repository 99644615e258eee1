"""Reads `{field: {$accumulator: argument}}` as groups and windows have it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.operators.percentiles import RELEASE as PERCENTILE_RELEASE
from atlas_rag.inprocess.mql.expressions.operators.percentiles import compile_percentiles
from atlas_rag.inprocess.mql.expressions.operators.sums import N_FUNCTIONS, checked_count, n_arguments
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Release, Scope, Variables
from atlas_rag.inprocess.mql.stages.grouping.accumulators import (
    SIMPLE,
    SLIDING,
    SLIDING_N,
    Gathered,
    Numbers,
    State,
    Sum,
)
from atlas_rag.inprocess.mql.stages.grouping.ranked import RANKED, compile_ranked
from atlas_rag.inprocess.mql.values.row import Row

Start = Callable[[Row, Variables], State]


class Accumulator(NamedTuple):
    """A compiled accumulator.

    Args:
        input: the value each row contributes.
        start: a fresh state; it is given the group's `_id` as a row, for `n`.
        sliding: a fresh state for a window that rows leave, where that is another one.
    """

    input: Evaluate
    start: Start
    sliding: Start | None = None


def compile_accumulator(field: str, specification: Any, scope: Scope) -> Accumulator:
    """Returns the accumulator of one output field.

    Raises:
        CommandError: code 40234 to 40238 (malformed), 15952 (unknown), and what each accumulator refuses.
    """
    if not isinstance(specification, Mapping) or not next(iter(specification), "").startswith("$"):
        raise CommandError(40234, f"The field '{field}' must be an accumulator object")
    if "." in field:
        raise CommandError(40235, f"The field name '{field}' cannot contain '.'")
    if field.startswith("$"):
        raise CommandError(40236, f"The field name '{field}' cannot be an operator name")
    if len(specification) > 1:
        raise CommandError(40238, f"The field '{field}' must specify one accumulator")
    ((name, argument),) = specification.items()
    if isinstance(argument, list):
        raise CommandError(40237, f"The {name} accumulator is a unary operator")
    if name == "$accumulator":
        raise CommandError(115, "$accumulator is not supported by the in-process engine: it runs JavaScript")
    if not is_accumulator(name, scope.release):
        raise CommandError(15952, f"unknown group operator '{name}'")
    return compile_call(name, argument, scope)


def is_accumulator(name: str, release: Release) -> bool:
    """True for the names that `compile_call` takes, if the release has them."""
    known = name in SIMPLE or name in N_FUNCTIONS or name in RANKED or name in _PERCENTILES
    return (known or name == "$count") and _FLOORS.get(name, release) <= release


def compile_call(name: str, argument: Any, scope: Scope) -> Accumulator:
    """Returns the accumulator `name` over an argument."""
    if name == "$count":
        if argument != {}:
            raise CommandError(14, "$count takes no arguments, i.e. $count:{}")
        return Accumulator(Constant(1), lambda *_: Sum())
    if name in N_FUNCTIONS:
        return _gathered(name, argument, scope)
    if name in RANKED:
        return Accumulator(*compile_ranked(name, argument, scope))
    if name in _PERCENTILES:
        asked = compile_percentiles(name, argument, scope)
        return Accumulator(asked.input, lambda *_: Numbers(asked.result))
    start, sliding = SIMPLE[name], SLIDING.get(name, SIMPLE[name])
    return Accumulator(compile_expression(argument, scope), lambda *_: start(), lambda *_: sliding())


def _gathered(name: str, argument: Any, scope: Scope) -> Accumulator:
    compiled = n_arguments(name, argument, scope)
    count = compiled["n"]

    def starting(choose: Callable[[Sequence[Any], int], list[Any]]) -> Start:
        return lambda group, variables: Gathered(choose, checked_count(count(group, variables)))

    return Accumulator(compiled["input"], starting(N_FUNCTIONS[name]), starting(SLIDING_N[name]))


_PERCENTILES = frozenset({"$percentile", "$median"})
_FLOORS: dict[str, Release] = {
    **dict.fromkeys(_PERCENTILES, PERCENTILE_RELEASE),
    "$concatArrays": (8, 1),
    "$setUnion": (8, 1),
}
