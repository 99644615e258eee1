"""The two pumps: replies, pauses, batches, calls, errors and cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from atlas_rag import CallError, ServerError
from atlas_rag.wire import Call, Command, Pause, Reply, adrive, drive, gather


class Recorded:
    """An engine and a clock in one: answers from a function, remembers what it was asked."""

    namespace = "app.docs"

    def __init__(self, answer: Callable[[Command], Any] = lambda command: {"n": command.name}) -> None:
        self.answer, self.now, self.log = answer, 0.0, []  # type: ignore[var-annotated]

    def run(self, command: Command) -> Reply:
        self.log.append(command.name)
        return Reply(body=self.answer(command))

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.log.append(seconds)
        self.now += seconds

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)


class Async(Recorded):
    async def run(self, command: Command) -> Reply:  # type: ignore[override]
        return super().run(command)


def pumped(
    kind: str, protocol: Any, answer: Callable[[Command], Any] = lambda command: {"n": command.name}
) -> Any:
    """The result of a protocol and the log of its engine."""
    if kind == "drive":
        engine = Recorded(answer)
        return drive(protocol, engine, engine), engine.log
    other = Async(answer)
    return asyncio.run(adrive(protocol, other, other)), other.log


BOTH = pytest.mark.parametrize("kind", ["drive", "adrive"])


def refuse(command: Command) -> Any:
    raise ServerError(f"no {command.name}")


@BOTH
def test_commands_pauses_calls_and_batches_come_back_in_order(kind: str) -> None:
    def protocol() -> Any:
        first = yield Command({"ping": 1})
        yield Pause(2.5)
        called = yield Call(lambda: 7)
        several = yield from gather([Command({"a": 1}), Command({"b": 1})])
        return first.body, called, [reply.body for reply in several]

    result, log = pumped(kind, protocol())
    assert result == ({"n": "ping"}, 7, [{"n": "a"}, {"n": "b"}])
    assert log == ["ping", 2.5, "a", "b"]


@BOTH
def test_a_protocol_may_catch_a_failure_and_go_on(kind: str) -> None:
    def protocol() -> Any:
        try:
            yield Command({"ping": 1})
        except ServerError as error:
            return str(error)

    result, _ = pumped(kind, protocol(), refuse)
    assert "no ping" in result


@BOTH
def test_a_failure_inside_a_batch_is_an_answer(kind: str) -> None:
    def protocol() -> Any:
        return (yield from gather([Command({"a": 1})]))

    (answer,), _ = pumped(kind, protocol(), refuse)
    assert isinstance(answer, ServerError)


@BOTH
def test_a_failing_call_is_thrown_into_the_protocol(kind: str) -> None:
    def protocol() -> Any:
        try:
            yield Call(lambda: 1 / 0)
        except ZeroDivisionError:
            return "caught"

    assert pumped(kind, protocol())[0] == "caught"


def test_an_async_component_in_a_synchronous_call_is_refused() -> None:
    async def embed() -> list[float]:
        return [1.0]

    def protocol() -> Any:
        return (yield Call(embed))

    with pytest.raises(CallError, match="AsyncRetriever"):
        pumped("drive", protocol())
    assert pumped("adrive", protocol())[0] == [1.0]


def test_a_blocking_call_does_not_hold_the_loop() -> None:
    async def both() -> list[str]:
        order: list[str] = []
        free = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wait() -> None:
            asyncio.run_coroutine_threadsafe(free.wait(), loop).result(5)
            order.append("call")

        def protocol() -> Any:
            yield Call(wait, blocking=True)

        async def other() -> None:
            order.append("other")
            free.set()

        await asyncio.gather(adrive(protocol(), Async()), other())
        return order

    assert asyncio.run(both()) == ["other", "call"]


def test_cancellation_closes_the_protocol_and_is_not_fed_to_it() -> None:
    seen: list[str] = []

    asked = asyncio.Event()

    class Stuck(Async):
        async def run(self, command: Command) -> Reply:  # type: ignore[override]
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError

    def protocol() -> Any:
        try:
            yield Command({"ping": 1})
        except Exception:
            seen.append("an exception reached the protocol")
        finally:
            seen.append("closed")

    async def cancel() -> None:
        task = asyncio.create_task(adrive(protocol(), Stuck()))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert seen == ["closed"]


def test_commands_do_not_show_their_bodies() -> None:
    assert "secret" not in repr(Command.aggregate("docs", [{"$match": {"a": "secret"}}]))
    assert "secret" not in repr(Reply(documents=[{"a": "secret"}], body={"a": "secret"}))


def test_a_flow_that_is_made_and_never_run_says_so() -> None:
    from atlas_rag.indexes import check_documents

    made = [check_documents("a.b", ())]
    with pytest.warns(RuntimeWarning, match="check_documents"):
        made.clear()
