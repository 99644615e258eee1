"""Weights of input pipelines, checked once."""

from __future__ import annotations

import math
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
    for name, weight in given.items():
        if name not in ordered:
            raise _refused(f"a weight names {name!r}, which is not an input pipeline", f"one of {ordered}")
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            raise _refused(f"the weight of {name!r} is a {type(weight).__name__}", "a number ≥ 0")
        if math.isnan(weight) or weight < 0 or (finite and math.isinf(weight)):
            raise _refused(f"the weight of {name!r} is {weight}", "a finite number ≥ 0")
    return {name: float(given.get(name, 1.0)) for name in ordered}


def _refused(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_WEIGHTS)
