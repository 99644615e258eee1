"""The two loops: `drive` for synchronous engines, `adrive` for asynchronous ones."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Generator, Sequence
from typing import Any, TypeAlias, TypeVar
from typing import Protocol as TypingProtocol

from atlas_rag.errors import AtlasRagError, CallError
from atlas_rag.wire.command import Call, Command, Pause, Reply

Result = TypeVar("Result")

Batch: TypeAlias = tuple[Command, ...]
"""Several commands that do not depend on each other; answered by a list of replies or errors, in order."""

Wish: TypeAlias = Command | Pause | Call | Batch
Protocol: TypeAlias = Generator[Wish, Any, Result]
"""What is pumped. `Any` is a `Reply`, None after a pause, a call's result, or a list after a batch."""


class Clock(TypingProtocol):
    """Time, injected. `time` is monotonic seconds."""

    def time(self) -> float: ...
    def sleep(self, seconds: float) -> None: ...
    async def async_sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's clock."""

    def time(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)

    async def async_sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


SYSTEM_CLOCK = SystemClock()


class Engine(TypingProtocol):
    """Executes commands synchronously. Failures are raised as `ServerError`."""

    @property
    def namespace(self) -> str: ...
    def run(self, command: Command) -> Reply: ...


class AsyncEngine(TypingProtocol):
    """Executes commands asynchronously. Failures are raised as `ServerError`."""

    @property
    def namespace(self) -> str: ...
    async def run(self, command: Command) -> Reply: ...


def gather(commands: Sequence[Command]) -> Generator[Batch, Any, list[Reply | AtlasRagError]]:
    """Asks several independent commands at once; each answer is a `Reply` or the error it met."""
    answers: list[Reply | AtlasRagError] = yield tuple(commands)
    return answers


def drive(protocol: Protocol[Result], engine: Engine, clock: Clock = SYSTEM_CLOCK) -> Result:
    """Runs a protocol to its result on a synchronous engine. A batch runs one command after the other."""
    try:
        wish = next(protocol)
        while True:
            try:
                answer = _answer(wish, engine, clock)
            except Exception as error:
                wish = protocol.throw(error)
            else:
                wish = protocol.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        protocol.close()


async def adrive(protocol: Protocol[Result], engine: AsyncEngine, clock: Clock = SYSTEM_CLOCK) -> Result:
    """Runs a protocol to its result on an asynchronous engine. A batch runs in one task group.

    Cancellation is not fed to the protocol: the pump closes it and what is under way is cancelled.
    """
    try:
        wish = next(protocol)
        while True:
            try:
                answer = await _async_answer(wish, engine, clock)
            except Exception as error:
                wish = protocol.throw(error)
            else:
                wish = protocol.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        protocol.close()


def _answer(wish: Wish, engine: Engine, clock: Clock) -> Any:
    if isinstance(wish, Command):
        return engine.run(wish)
    if isinstance(wish, Pause):
        return clock.sleep(wish.seconds)
    if isinstance(wish, Call):
        return _not_awaitable(wish.function())
    return [_caught(engine, command) for command in wish]


async def _async_answer(wish: Wish, engine: AsyncEngine, clock: Clock) -> Any:
    if isinstance(wish, Command):
        return await engine.run(wish)
    if isinstance(wish, Pause):
        return await clock.async_sleep(wish.seconds)
    if isinstance(wish, Call):
        result = await asyncio.to_thread(wish.function) if wish.blocking else wish.function()
        return await result if inspect.isawaitable(result) else result
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_acaught(engine, command)) for command in wish]
    return [task.result() for task in tasks]


def _not_awaitable(result: Any) -> Any:
    if inspect.isawaitable(result):
        if inspect.iscoroutine(result):
            result.close()
        raise CallError(
            "A synchronous retrieval was given an asynchronous component",
            expected="an embedder, reranker or callback that returns its result",
            next_step="use AsyncRetriever",
        )
    return result


def _caught(engine: Engine, command: Command) -> Reply | AtlasRagError:
    try:
        return engine.run(command)
    except AtlasRagError as error:
        return error


async def _acaught(engine: AsyncEngine, command: Command) -> Reply | AtlasRagError:
    try:
        return await engine.run(command)
    except AtlasRagError as error:
        return error
