"""Methods of the synchronous faces, awaited."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from atlas_rag.inprocess.client.asynchronous.cursors import AsyncLocalCommandCursor
from atlas_rag.inprocess.client.cursor import LocalCommandCursor

Delegate = TypeVar("Delegate")
Result = TypeVar("Result")
P = ParamSpec("P")


class Face(Protocol):
    """An asynchronous face of something synchronous, the `delegate`."""

    delegate: Any

    async def _call(self, function: Callable[..., Result], /, *args: Any, **kwargs: Any) -> Result:
        """Runs a function here or in a worker thread."""
        ...


def awaited(
    method: Callable[Concatenate[Delegate, P], Result],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, Result]]:
    """Returns the asynchronous form of a method."""

    async def call(self: Face, /, *args: P.args, **kwargs: P.kwargs) -> Result:
        return await self._call(method, self.delegate, *args, **kwargs)

    _name(call, method)
    return call


def awaited_cursor(
    method: Callable[Concatenate[Delegate, P], LocalCommandCursor],
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, AsyncLocalCommandCursor]]:
    """Returns the asynchronous form of a method that runs a command and returns its cursor."""

    async def call(self: Face, /, *args: P.args, **kwargs: P.kwargs) -> AsyncLocalCommandCursor:
        cursor = await self._call(method, self.delegate, *args, **kwargs)
        return AsyncLocalCommandCursor(cursor, self._call)

    _name(call, method)
    return call


def _name(call: Any, method: Callable[..., Any]) -> None:
    call.__name__ = method.__name__
    call.__qualname__ = f"Async{method.__qualname__}"
    call.__doc__ = method.__doc__
