"""Aggregation expressions over normalised scores, compiled to arithmetic on arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

import numpy as np

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.score_fusion import Combine, compensated_sum

Node: TypeAlias = Callable[[Floats, Floats], Floats]


def _chained(operation: Callable[[Floats, Floats], Floats]) -> Callable[[Sequence[Floats]], Floats]:
    return lambda values: reduce(operation, values)


_OPERATORS: Mapping[str, Callable[[Sequence[Floats]], Floats]] = {
    "$add": _chained(np.add),
    "$multiply": _chained(np.multiply),
    "$subtract": _chained(np.subtract),
    "$divide": _chained(np.divide),
    "$max": _chained(np.maximum),
    "$min": _chained(np.minimum),
    "$sum": lambda values: compensated_sum(np.array(values)),
    "$avg": lambda values: compensated_sum(np.array(values)) / len(values),
}

_TWO = {"$subtract", "$divide"}


def compile_expression(expression: Any, pipelines: Sequence[str]) -> Combine:
    """A `$scoreFusion` expression as a function of scores and weights.

    `$$name` is the score of an input pipeline; `$$weight.name` stands for its weight, to be replaced by the
    number that was found. Operators: $add, $multiply, $subtract, $divide, $max, $min, $sum, $avg, $literal.

    Args:
        pipelines: their names; scores are given in alphabetical order.
    Raises:
        ExperimentError: anything else, by name; document fields cannot be read here (7602).
    """
    place = {name: column for column, name in enumerate(sorted(pipelines))}
    return _compile(expression, place)


def _compile(expression: Any, place: Mapping[str, int]) -> Node:
    if isinstance(expression, (int, float)) and not isinstance(expression, bool):
        return _constant(float(expression))
    if isinstance(expression, str):
        return _variable(expression, place)
    if isinstance(expression, Mapping) and len(expression) == 1:
        ((operator, given),) = expression.items()
        if operator == "$literal":
            return _compile(given, place) if not isinstance(given, str) else _refuse(given)
        operands = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        if operator in _OPERATORS and operands and (operator not in _TWO or len(operands) == 2):
            parts = [_compile(operand, place) for operand in operands]
            apply = _OPERATORS[operator]
            return lambda scores, weights: apply([part(scores, weights) for part in parts])
    return _refuse(expression)


def _constant(value: float) -> Node:
    return lambda scores, weights: np.full(scores.shape[1], value)


def _variable(name: str, place: Mapping[str, int]) -> Node:
    if name.startswith("$$weight.") and name[9:] in place:
        column = place[name[9:]]
        return lambda scores, weights: np.full(scores.shape[1], weights[column])
    if name.startswith("$$") and name[2:] in place:
        column = place[name[2:]]
        return lambda scores, weights: scores[column]
    return _refuse(name)


def _refuse(expression: Any) -> Node:
    raise ExperimentError(
        f"the expression {expression!r} cannot be evaluated offline",
        expected=f"numbers, $$pipeline, $$weight.pipeline and {', '.join(_OPERATORS)} with their operands",
        next_step="write the combination as a function of two arrays and give it to ExpressionFusion",
    )
