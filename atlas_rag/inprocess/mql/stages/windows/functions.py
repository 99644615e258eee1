"""The functions of `$setWindowFields`: each gives one value per row of a partition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.operators.sums import N_FUNCTIONS
from atlas_rag.inprocess.mql.expressions.scope import Release, Scope
from atlas_rag.inprocess.mql.stages.grouping.accumulator_parser import is_accumulator
from atlas_rag.inprocess.mql.stages.grouping.ranked import RANKED
from atlas_rag.inprocess.mql.stages.windows import covariance, filling, positions, slopes, smoothing
from atlas_rag.inprocess.mql.stages.windows.accumulated import accumulated
from atlas_rag.inprocess.mql.stages.windows.bounds import WindowSort
from atlas_rag.inprocess.mql.stages.windows.call import Call, CompileWindow, WindowFunction
from atlas_rag.inprocess.mql.stages.windows.scaling import scaler

_NOT_IN_WINDOWS = frozenset({"$mergeObjects"})
_OF_ENDS = frozenset({"$first", "$last", *N_FUNCTIONS, *RANKED})
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
    name = next((name for name in specification if name.startswith("$")), None)
    if name is None:
        found = next(iter(specification), "")
        text = f", {found}" if found else ""
        raise CommandError(9, f"Expected a $-prefixed window function{text}")
    compile_call = _compiler(name, scope.release)
    if compile_call is None:
        raise CommandError(9, f"Unrecognized window function, {name}")
    return compile_call(Call(name, specification, sort, scope, _refusals(name, scope.release)))


def _compiler(name: str, release: Release) -> CompileWindow | None:
    """Returns the compiler of a function, None for what the release does not have."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name] if _FLOORS.get(name, release) <= release else None
    return accumulated if is_accumulator(name, release) and name not in _NOT_IN_WINDOWS else None


def _refusals(name: str, release: Release) -> Callable[[str], CommandError]:
    """Returns what a function says to a field that is not its own."""

    def refuse(other: str) -> CommandError:
        if name in _OF_ENDS or name in slopes.FUNCTIONS:
            return CommandError(9, f"{name} got unexpected argument: {other}")
        if _compiler(other, release) is not None:
            return CommandError(9, "Cannot specify two functions in window function spec")
        return CommandError(9, f"Window function found an unknown argument: {other}")

    return refuse
