"""Weights of input pipelines, checked once."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping

from atlas_rag.errors import CallError, Code


def checked_weights(
    names: Iterable[str], weights: Mapping[str, float] | None = None, *, finite: bool = True
) -> dict[str, float]:
    """One weight per input pipeline, in name order; 1.0 where none is given.

    Args:
        names: the input pipelines.
        weights: by name, each ≥ 0. Unknown names are refused, as the server does.
        finite: whether an infinite weight, which a server takes, is refused.

    Raises:
        CallError: INVALID_WEIGHTS; INVALID_PIPELINE for no or twice the same name.
    """
    ordered = sorted(names)
    if not ordered or len(set(ordered)) != len(ordered):
        raise CallError(
            "a fusion was given no input pipeline"
            if not ordered
            else f"input pipelines {ordered} repeat a name",
            expected="at least one input pipeline, every name once",
            code=Code.INVALID_PIPELINE,
        )
    given = dict(weights or {})
    unknown = next((name for name in given if name not in ordered), None)
    if unknown is not None:
        raise _refused(
            f"a weight names {unknown!r}, which is not an input pipeline",
            f"one of {ordered}",
            "name an input pipeline of this fusion",
        )
    check_weights(given, finite=finite)
    return {name: float(given.get(name, 1.0)) for name in ordered}


def check_weights(weights: Mapping[str, float], *, finite: bool = True) -> None:
    """Refuses what is no weight.

    Raises:
        CallError: INVALID_WEIGHTS.
    """
    largest = sys.float_info.max if finite else math.inf
    for name, weight in weights.items():
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not number or not 0 <= weight <= largest:
            printable = isinstance(weight, float) or (number and abs(weight) <= largest)
            raise _refused(
                f"the weight of {name!r} is {weight if printable else f'a {type(weight).__name__}'}",
                "a finite number ≥ 0",
                "pass such a number; 1 counts as much as the others, 0 not at all",
            )


def _refused(problem: str, expected: str, next_step: str) -> CallError:
    return CallError(problem, expected=expected, next_step=next_step, code=Code.INVALID_WEIGHTS)
