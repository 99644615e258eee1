"""The two loops: `drive` for synchronous engines, `adrive` for asynchronous ones."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Generator, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from atlas_rag.errors import AtlasRagError, CallError
from atlas_rag.wire.command import Call, Command, Pause, Reply

Result = TypeVar("Result")

Batch: TypeAlias = tuple[Command, ...]
"""Several commands that do not depend on each other; answered by a list of replies or errors, in order."""

Effect: TypeAlias = Command | Pause | Call | Batch
Flow: TypeAlias = Generator[Effect, Any, Result]
"""What is pumped. `Any` is a `Reply`, None after a pause, a call's result, or a list after a batch."""


class Clock(Protocol):
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


class Engine(Protocol):
    """Executes commands synchronously. Failures are raised as `ServerError`."""

    @property
    def namespace(self) -> str: ...
    def run(self, command: Command) -> Reply: ...


class AsyncEngine(Protocol):
    """Executes commands asynchronously. Failures are raised as `ServerError`."""

    @property
    def namespace(self) -> str: ...
    async def run(self, command: Command) -> Reply: ...


def gather(commands: Sequence[Command]) -> Generator[Batch, Any, list[Reply | AtlasRagError]]:
    """Asks several independent commands at once; each answer is a `Reply` or the error it met."""
    answers: list[Reply | AtlasRagError] = yield tuple(commands)
    return answers


def drive(flow: Flow[Result], engine: Engine, clock: Clock = SYSTEM_CLOCK) -> Result:
    """Runs a flow to its result on a synchronous engine. A batch runs one command after the other."""
    try:
        effect = next(flow)
        while True:
            try:
                answer = _answer(effect, engine, clock)
            except Exception as error:
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        flow.close()


async def adrive(flow: Flow[Result], engine: AsyncEngine, clock: Clock = SYSTEM_CLOCK) -> Result:
    """Runs a flow to its result on an asynchronous engine. A batch runs in one task group.

    Cancellation is not fed to the flow: the pump closes it and what is under way is cancelled.
    """
    try:
        effect = next(flow)
        while True:
            try:
                answer = await _async_answer(effect, engine, clock)
            except Exception as error:
                effect = flow.throw(error)
            else:
                effect = flow.send(answer)
    except StopIteration as stop:
        result: Result = stop.value
        return result
    finally:
        flow.close()


def _answer(effect: Effect, engine: Engine, clock: Clock) -> Any:
    if isinstance(effect, Command):
        return engine.run(effect)
    if isinstance(effect, Pause):
        return clock.sleep(effect.seconds)
    if isinstance(effect, Call):
        return _not_awaitable(effect.function())
    return [_caught(engine, command) for command in effect]


async def _async_answer(effect: Effect, engine: AsyncEngine, clock: Clock) -> Any:
    if isinstance(effect, Command):
        return await engine.run(effect)
    if isinstance(effect, Pause):
        return await clock.async_sleep(effect.seconds)
    if isinstance(effect, Call):
        result = await asyncio.to_thread(effect.function) if effect.blocking else effect.function()
        return await result if inspect.isawaitable(result) else result
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_acaught(engine, command)) for command in effect]
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
