"""What the compiler of one window function is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.scope import Evaluate, Scope, Variables
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.stages.windows.bounds import WHOLE_PARTITION, Bounds, WindowSort, compile_bounds
from atlas_rag.engines.local.values.row import Row

# (rows of one partition in order, their sort values, variables) -> one value per row
WindowFunction = Callable[[Sequence[Row], Sequence[Any], Variables], list[Any]]


class Call(NamedTuple):
    """One window function as it was called.

    Args:
        specification: the whole `{$function: argument, window: ...}`.
        sort: the stage's `sortBy`.
    """

    name: str
    specification: Mapping[str, Any]
    sort: WindowSort
    scope: Scope

    @property
    def argument(self) -> Any:
        """The function's own argument."""
        return self.specification[self.name]

    def bounds(self) -> Bounds:
        """Returns the bounds of the window, by default all of the partition."""
        if "window" not in self.specification:
            return WHOLE_PARTITION
        return compile_bounds(self.specification["window"], self.sort, self.scope)

    def compiled(self, expression: Any) -> Evaluate:
        """Compiles an expression on the rows of the window."""
        return compile_expression(expression, self.scope)

    def refuse_window(self) -> None:
        """For functions that always look at the whole partition. Raises code 9."""
        if "window" in self.specification:
            raise CommandError(9, f"'window' field is not allowed in {self.name}")


CompileWindow = Callable[[Call], WindowFunction]
