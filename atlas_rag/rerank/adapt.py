"""Anything that judges texts against a question, as a `Reranker`."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, cast

from atlas_rag.errors import CallError, ReplyError
from atlas_rag.providers.manner import is_async, methods, name_of, refuse_class
from atlas_rag.rerank.protocol import Reranked, Reranker

CLIENTS = {"voyageai": "VoyageReranker(client=…)", "cohere": "CohereReranker(api_key=…)"}
"""What to pass instead of a provider's client."""

Judge = Callable[[str, list[str]], Any]


class AdaptedReranker:
    """An object or function of somebody else as a `Reranker`; made by `as_reranker`."""

    def __init__(self, judge: Judge, id: str, blocking: bool) -> None:  # noqa: A002
        self.id = id
        self.blocking = blocking
        self._judge = judge

    def __repr__(self) -> str:
        return f"AdaptedReranker({self.id!r}, {'blocking' if self.blocking else 'awaited or quick'})"

    def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked] | Awaitable[list[Reranked]]:
        """One score per text that the object has an opinion on."""
        if is_async(self._judge):
            return self._awaited(query, list(texts))
        answer = self._judge(query, list(texts))
        return answer if inspect.isawaitable(answer) else _read(answer, len(texts))

    async def _awaited(self, query: str, texts: list[str]) -> list[Reranked]:
        return _read(await self._judge(query, texts), len(texts))


def as_reranker(value: Any, *, id: str | None = None, blocking: bool | None = None) -> Reranker:  # noqa: A002
    """A reranker from what you have: a function of question and texts, or a cross-encoder with `predict`.

    What is a `Reranker` already comes back as it is. A function gives one number per text, or pairs of
    position and number.

    Args:
        id: names provider and model; default the class and its model, or the function's module and name.
        blocking: whether a call waits or computes for long; default True unless it is awaited.

    Raises:
        CallError: INVALID_OPTION, it cannot rerank, or is a class.
    """
    refuse_class(value, "reranker")
    has = methods(value, "rerank", "predict")
    own = getattr(value, "blocking", None)
    library = type(value).__module__.partition(".")[0]
    if library in CLIENTS or not (has or callable(value)):
        raise CallError(
            f"A {type(value).__name__} cannot rerank",
            expected="an object with rerank(query, texts) or predict(pairs), or a function of both",
            next_step=f"pass {CLIENTS.get(library, 'such an object')}",
        )
    whole = "rerank" in has and isinstance(getattr(value, "id", None), str) and isinstance(own, bool)
    if whole and id is None and blocking is None:
        return cast(Reranker, value)
    judge = has.get("rerank") or (partial(_in_pairs, has["predict"]) if has else value)
    guess = own if isinstance(own, bool) else not is_async(judge)
    return AdaptedReranker(judge, id or name_of(value), guess if blocking is None else blocking)


def _in_pairs(predict: Callable[[list[tuple[str, str]]], Any], query: str, texts: list[str]) -> Any:
    return predict([(query, text) for text in texts])


def _read(answer: Any, size: int) -> list[Reranked]:
    """Numbers in the order of the texts, or pairs of position and number."""
    entries = list(answer)
    if entries and all(isinstance(one, tuple | list) and len(one) == 2 for one in entries):
        return [Reranked(position, score) for position, score in entries]
    if len(entries) != size:
        raise ReplyError(f"The reranker returned {len(entries)} scores for {size} texts", expected="one each")
    try:
        return [Reranked(position, float(score)) for position, score in enumerate(entries)]
    except (TypeError, ValueError):
        raise ReplyError(
            "The reranker returned what is no number", expected="numbers, or pairs of position and number"
        ) from None
