"""Many questions at once: each with its own outcome, a bounded number under way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeAlias

from atlas_rag.errors import AtlasRagError, CallError

if TYPE_CHECKING:
    from atlas_rag.retriever.result import Result

Outcome: TypeAlias = "Result | AtlasRagError"
"""What became of one question: a result, or the error that it met."""
DEFAULT_CONCURRENCY = 8


def check_many(questions: Sequence[str], concurrency: int) -> None:
    """Refuses one string in place of several, and a concurrency below 1.

    Raises:
        CallError: INVALID_OPTION.
    """
    if isinstance(questions, str):
        raise CallError(
            "The questions are one string",
            expected="a list of questions",
            next_step="pass ['…'], or retrieve",
        )
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise CallError(
            f"concurrency is {concurrency!r}", expected="1 or more", next_step="leave it out for 8"
        )


def each(ask: Callable[[str], Result], questions: Sequence[str], concurrency: int) -> list[Outcome]:
    """The outcomes in the order of the questions, asked in threads."""

    def outcome(question: str) -> Outcome:
        try:
            return ask(question)
        except AtlasRagError as error:
            return error

    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        return list(pool.map(outcome, questions))


async def each_async(
    ask: Callable[[str], Awaitable[Result]], questions: Sequence[str], concurrency: int
) -> list[Outcome]:
    """The outcomes in the order of the questions, asked by tasks."""
    places = asyncio.Semaphore(concurrency)

    async def outcome(question: str) -> Outcome:
        async with places:
            try:
                return await ask(question)
            except AtlasRagError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(outcome(question)) for question in questions]
    return [task.result() for task in tasks]
