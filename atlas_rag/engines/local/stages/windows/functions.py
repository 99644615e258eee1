"""The functions of `$setWindowFields`: each gives one value per row of a partition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.engines.local.expressions.scope import Release, Scope
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.stages.grouping.accumulator_parser import is_accumulator
from atlas_rag.engines.local.stages.windows import covariance, filling, positions, slopes, smoothing
from atlas_rag.engines.local.stages.windows.accumulated import accumulated
from atlas_rag.engines.local.stages.windows.bounds import WindowSort
from atlas_rag.engines.local.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.engines.local.stages.windows.scaling import scaler

_NOT_IN_WINDOWS = frozenset({"$mergeObjects"})
_FUNCTIONS: dict[str, CompileWindow] = {
    **positions.FUNCTIONS,
    **filling.FUNCTIONS,
    **slopes.FUNCTIONS,
    **smoothing.FUNCTIONS,
    **covariance.FUNCTIONS,
    "$minMaxScaler": scaler,
}
_FLOORS: dict[str, Release] = {"$minMaxScaler": (8, 2)}


def compile_window_function(path: str, specification: Any, sort: WindowSort, scope: Scope) -> WindowFunction:
    """Returns the function of one output field. Raises code 9 for what the release does not have."""
    if not isinstance(specification, Mapping):
        raise CommandError(9, f"The field '{path}' must be an object")
    names = [name for name in specification if name.startswith("$")]
    for name in specification:
        if not name.startswith("$") and name != "window":
            raise CommandError(9, f"Window function found an unknown argument: {name}")
    if len(names) != 1:
        text = (
            "Expected a $-prefixed window function"
            if not names
            else "Cannot specify two functions in window function spec"
        )
        raise CommandError(9, text)
    (name,) = names
    return _compiler(name, scope.release)(Call(name, specification, sort, scope))


def _compiler(name: str, release: Release) -> CompileWindow:
    if name in _FUNCTIONS and _FLOORS.get(name, release) <= release:
        return _FUNCTIONS[name]
    if not is_accumulator(name, release) or name in _NOT_IN_WINDOWS:
        raise CommandError(9, f"Unrecognized window function, {name}")
    return accumulated
