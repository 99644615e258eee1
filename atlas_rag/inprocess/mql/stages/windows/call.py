"""What the compiler of one window function is given, and what it returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope, Variables
from atlas_rag.inprocess.mql.stages.windows.bounds import WHOLE_PARTITION, Bounds, WindowSort, compile_bounds
from atlas_rag.inprocess.mql.values.row import Row

# (rows of one partition in order, their sort values, variables) -> one value per row
WindowFunction = Callable[[Sequence[Row], Sequence[Any], Variables], list[Any]]
T = TypeVar("T")


class Call(NamedTuple):
    """One window function as it was called.

    Args:
        specification: the whole `{$function: argument, window: ...}`.
        sort: the stage's `sortBy`.
        refuses: what the function says to a field that is neither its own nor `window`.
    """

    name: str
    specification: Mapping[str, Any]
    sort: WindowSort
    scope: Scope
    refuses: Callable[[str], CommandError]

    @property
    def argument(self) -> Any:
        """The function's own argument."""
        return self.specification[self.name]

    def fields(self) -> Iterator[tuple[bool, Any]]:
        """Yields the function's argument and that of `window` as they come, with True for the window.

        Raises:
            CommandError: another field comes.
        """
        for name, value in self.specification.items():
            if name not in (self.name, "window"):
                raise self.refuses(name)
            yield name == "window", value

    def read(self, reader: Callable[[Any], T]) -> tuple[T, Bounds]:
        """Returns what a reader makes of the argument, and the window's bounds, each read as it comes."""
        bounds, read = WHOLE_PARTITION, list[T]()
        for is_window, value in self.fields():
            if is_window:
                bounds = compile_bounds(value, self.sort, self.scope)
            else:
                read.append(reader(value))
        return read[0], bounds

    def compiled(self, expression: Any) -> Evaluate:
        """Compiles an expression on the rows of the window."""
        return compile_expression(expression, self.scope)

    def input_without_window(self) -> Evaluate:
        """Returns the input of a function that always looks at the whole partition. Raises code 9."""
        (expression,) = [self.compiled(value) for is_window, value in self.fields() if not is_window]
        if "window" in self.specification:
            raise CommandError(9, f"'window' field is not allowed in {self.name}")
        return expression


CompileWindow = Callable[[Call], WindowFunction]
