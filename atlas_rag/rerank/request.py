"""What every reranking service is asked: within its limits, and no text twice or empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from atlas_rag.errors import CallError
from atlas_rag.providers.limits import RerankLimits
from atlas_rag.providers.texts import filled, least_tokens, most_tokens
from atlas_rag.query.content import check_text
from atlas_rag.rerank.notice import in_order
from atlas_rag.rerank.protocol import Reranked
from atlas_rag.wire import Flow


class Part(NamedTuple):
    """The texts of one request and their positions among all."""

    positions: list[int]
    texts: list[str]


def parts(query: str, texts: Sequence[str], limits: RerankLimits, *, truncation: bool) -> Iterator[Part]:
    """The texts in as many requests as the limits ask for; empty ones are left out.

    A service scores each pair of question and text by itself, so scores of several requests can be compared.

    Args:
        truncation: whether the service cuts what is too long; if not, what certainly is too long is refused.

    Raises:
        CallError: INVALID_OPTION, before anything is sent.
    """
    _check(query, texts, limits, truncation)
    asked = most_tokens(query)
    if truncation:
        asked = min(asked, limits.query_tokens)

    def cost(position: int) -> int:
        pair = asked + most_tokens(texts[position])
        return min(pair, limits.pair_tokens or pair) if truncation else pair

    full = [position for position, text in enumerate(texts) if text.strip()]
    for positions in filled(full, cost, limits.texts, limits.tokens or sum(map(cost, full))):
        yield Part(positions, [texts[position] for position in positions])


def in_parts(
    split: Iterator[Part], ask: Callable[[list[str]], Flow[Sequence[Reranked]]]
) -> Flow[list[Reranked]]:
    """The scores of all parts, by the positions that the texts have among all.

    Args:
        ask: one request; its positions are those within the part.

    Raises:
        ReplyError: an answer names texts that were not sent, or one twice.
    """
    found: list[Reranked] = []
    for part in split:
        answer = yield from ask(part.texts)
        scores = in_order(answer, len(part.texts))
        scored = zip(part.positions, scores, strict=True)
        found += [Reranked(position, score) for position, score in scored if score is not None]
    return found


def _check(query: str, texts: Sequence[str], limits: RerankLimits, truncation: bool) -> None:
    if isinstance(texts, str):
        raise CallError("The texts are one string", expected="a list of strings", next_step="pass [text]")
    if len(texts) > limits.texts:
        raise CallError(
            f"{len(texts)} texts are to be reranked",
            expected=f"at most {limits.texts}",
            next_step="ask for fewer candidates: a smaller limit or top_k_multiplier",
        )
    for position, text in enumerate(texts):
        check_text(text, f"Text {position}")
    if not check_text(query, "The question").strip():
        raise CallError("The question is empty", expected="text")
    if truncation:
        return
    if least_tokens(query) > limits.query_tokens:
        raise CallError(
            f"The question has more than {limits.query_tokens} tokens",
            expected="a shorter one, or truncation=True",
        )
    for position, text in enumerate(texts):
        if limits.pair_tokens is not None and least_tokens(query) + least_tokens(text) > limits.pair_tokens:
            raise CallError(
                f"The question and text {position} have more than {limits.pair_tokens} tokens",
                expected="shorter ones, or truncation=True",
            )
