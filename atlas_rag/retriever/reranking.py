"""The reranker's turn: a relaxed floor before it, strict thresholds after it."""

from __future__ import annotations

from functools import partial

from atlas_rag.hits import Hit
from atlas_rag.hits.evidence import Rejection
from atlas_rag.plan import Cause, Plan
from atlas_rag.providers import metered
from atlas_rag.query.request import NativeReranker, Request
from atlas_rag.rerank import select
from atlas_rag.rerank.notice import in_order, suspicion
from atlas_rag.retriever.selecting import Arrange, Verdict, judge, reaches
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.trace import Trace
from atlas_rag.wire import Call, Flow


def rerank(
    hits: list[Hit],
    request: Request,
    plan: Plan,
    setup: Setup,
    trace: Trace,
    arrange: Arrange | None = None,
) -> Flow[list[Verdict]]:
    """The verdicts on the candidates after reranking.

    Raises:
        ReplyError, or whatever the reranker raises.
    """
    reranker = setup.reranker
    assert reranker is not None and not isinstance(reranker, NativeReranker)  # noqa: S101, PT018 - the flow's
    kept = [hit for hit in hits if hit.score is None or reaches(hit.score, plan.floors)]
    below = [hit for hit in hits if hit not in kept]
    texts = [text_of(hit, setup.text_path, setup.title_path) for hit in kept]
    full = [position for position, text in enumerate(texts) if text]
    scores: list[float | None] = [None] * len(kept)
    if full:
        ask = partial(reranker.rerank, request.text or "", [texts[position] for position in full])
        with metered() as meter:
            answer = yield Call(ask, blocking=reranker.blocking)
        trace.usage += meter.usage
        for position, score in zip(full, in_order(answer, len(full)), strict=True):
            scores[position] = score
    if (warning := suspicion(scores)) is not None:
        trace.note(Cause.SCORES_SUSPICIOUS, warning)
    chosen, left_out = select(kept, scores, request.options.final_selection)
    dropped: list[tuple[Hit, Rejection]] = [(hit, "rerank-dropped") for hit in left_out]
    dropped += [(hit, "below-min-score") for hit in below]
    first_skip = request.options.skip
    return judge(chosen, request.options, plan, first_skip=first_skip, rejected=dropped, arrange=arrange)


def text_of(hit: Hit, text_path: str, title_path: str) -> str:
    """Title and text of a document as one string; empty where it has neither."""
    parts = (hit.value_at(title_path), hit.value_at(text_path))
    return "\n".join(part for part in parts if isinstance(part, str) and part)
