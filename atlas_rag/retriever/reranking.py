"""The reranker's turn: a relaxed floor before it, strict thresholds after it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from atlas_rag.hits import Hit, ScoreKind, Threshold
from atlas_rag.hits.evidence import Rejection
from atlas_rag.query.request import NativeReranker
from atlas_rag.rerank import select
from atlas_rag.rerank.notice import in_order, suspicion
from atlas_rag.retriever.options import RetrievalOptions
from atlas_rag.retriever.selecting import Verdict, judge
from atlas_rag.retriever.setup import Question, Setup
from atlas_rag.wire import Call, Flow

DIVISIBLE = (ScoreKind.VECTOR_SIMILARITY, ScoreKind.TEXT_RELEVANCE)
"""Kinds whose floor can be relaxed by dividing it; a fused rank score says nothing about relevance."""


def rerank(
    hits: list[Hit],
    question: Question,
    setup: Setup,
    thresholds: Mapping[ScoreKind, float],
    notes: list[str],
) -> Flow[list[Verdict]]:
    """The verdicts on the candidates after reranking.

    Raises:
        ReplyError, or whatever the reranker raises.
    """
    options, reranker = question.options, setup.reranker
    assert reranker is not None and not isinstance(reranker, NativeReranker)  # noqa: S101, PT018 - the flow's
    kept = [hit for hit in hits if _above_relaxed_floor(hit, options)]
    dropped: list[tuple[Hit, Rejection]] = [(hit, "below-min-score") for hit in hits if hit not in kept]
    texts = [text_of(hit, setup.text_path, setup.title_path) for hit in kept]
    full = [position for position, text in enumerate(texts) if text]
    scores: list[float | None] = [None] * len(kept)
    if full:
        ask = partial(reranker.rerank, question.text or "", [texts[position] for position in full])
        answer = yield Call(ask, blocking=reranker.blocking)
        for position, score in zip(full, in_order(answer, len(full)), strict=True):
            scores[position] = score
    if (warning := suspicion(scores)) is not None:
        notes.append(warning)
    chosen, left_out = select(kept, scores, options.final_selection)
    dropped = [(hit, "rerank-dropped") for hit in left_out] + dropped
    strict = options.model_copy(update={"min_score": None})
    return judge(chosen, strict, thresholds, first_skip=options.skip, rejected=dropped)


def text_of(hit: Hit, text_path: str, title_path: str) -> str:
    """Title and text of a document as one string; empty where it has neither."""
    parts = (hit.value_at(title_path), hit.value_at(text_path))
    return "\n".join(part for part in parts if isinstance(part, str) and part)


def _above_relaxed_floor(hit: Hit, options: RetrievalOptions) -> bool:
    floor = options.min_score
    if floor is None or hit.score is None or floor.kind is not hit.score.kind or floor.kind not in DIVISIBLE:
        return True
    return Threshold(floor.value / options.min_score_divider, floor.kind).admits(hit.score)
