"""Asking an embedder inside a flow.

What cannot be sent is refused before, every failure of a provider is one error, and usage is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from atlas_rag.embed.protocol import Embedder, Embedding
from atlas_rag.errors import CallError, ReplyError
from atlas_rag.providers.retry import Failure, persistently
from atlas_rag.providers.usage import Usage, metered
from atlas_rag.query.content import check_text
from atlas_rag.stages import Vector, as_vector
from atlas_rag.wire import Flow

PROBE = "dimensions"
"""A text that any embedder can embed."""
LONGEST_QUESTION = 2**17
"""Characters of a question that is embedded at most: the 32 000 tokens that the largest models read."""


@dataclass(frozen=True, slots=True)
class EmbeddedQuestion:
    """The vector of a question, and what the provider counted for it (`Usage()` where it counts nothing)."""

    vector: Vector = field(repr=False)
    usage: Usage


def embed_question(embedder: Embedder, text: str, attempts: int = 1) -> Flow[EmbeddedQuestion]:
    """Embeds one question.

    Args:
        attempts: how often at most, ≥ 1. An embedder of this library tries again by itself.

    Raises:
        CallError: INVALID_OPTION, the text holds half a character or is longer than any model reads;
            INVALID_VECTOR, what came is no vector.
        RetrievalError: PROVIDER_FAILED, caused by whatever the embedder raised.
    """
    check_text(text, "The question")
    if len(text) > LONGEST_QUESTION:
        raise CallError(
            f"The question to embed is {len(text)} characters long",
            expected=f"at most {LONGEST_QUESTION} characters",
            next_step="ask with a shorter text, or with mode='keyword'",
        )
    with metered() as meter:
        vector = yield from _asked(embedder, partial(embedder.embed_query, text), attempts)
    return EmbeddedQuestion(as_vector(vector), meter.usage)


def embed_texts(embedder: Embedder, texts: Sequence[str], attempts: int = 1) -> Flow[list[Embedding]]:
    """Embeds documents: one vector per text, in order. Arguments: see `embed_question`.

    Raises:
        CallError: INVALID_OPTION, a text holds half a character. RetrievalError: PROVIDER_FAILED.
        ReplyError: there is not one vector for each text.
    """
    for position, text in enumerate(texts):
        check_text(text, f"Text {position}")
    found = list((yield from _asked(embedder, partial(embedder.embed_documents, texts), attempts)))
    if len(found) != len(texts):
        raise ReplyError(f"The embedder returned {len(found)} vectors for {len(texts)} texts")
    return found


def known_dimensions(embedder: Embedder, attempts: int = 1) -> Flow[int]:
    """The length of the embedder's vectors: what it says, else that of one it is asked for."""
    if embedder.dimensions is not None:
        return embedder.dimensions
    return (yield from embed_question(embedder, PROBE, attempts)).vector.dimensions


def _asked(embedder: Embedder, ask: Callable[[], Any], attempts: int) -> Flow[Any]:
    name = f"The embedder {embedder.id!r}"
    return (yield from persistently(name, ask, _may_pass, attempts, blocking=embedder.blocking))


def _may_pass(error: Exception) -> Failure:
    """Nothing is known of the errors of other libraries."""
    return Failure(retryable=True)
