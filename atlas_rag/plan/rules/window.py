"""How many documents come back."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code, RetrievalError
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.window import Window


def choose_window(draft: Draft) -> None:
    """The page where the deployment cuts it, or the candidates that are chosen among afterwards.

    Raises:
        CallError: INVALID_OPTION for a candidate_limit below limit + skip, or more candidates than the
            reranker takes.
        RetrievalError: RAG_RETRIEVAL_FAILED (7202) beyond max_candidates.
    """
    options = draft.request.options
    page = options.limit + options.skip
    candidates = options.candidate_limit
    here = (options.collapse, options.diversify, options.recency, options.boost)
    chosen_here = any(one is not None for one in here)
    if candidates is None and (chosen_here or draft.reranking.by != "nobody"):
        candidates = page * options.top_k_multiplier
    if candidates is not None and candidates < page:
        raise CallError(
            f"candidate_limit is {candidates}",
            expected=f"at least limit + skip = {page}",
            next_step="raise candidate_limit, or leave it out",
        )
    _check_size(draft, max(page, candidates or 0))
    if candidates is None:
        draft.window = Window(first=options.skip, rows=options.limit + options.reject_window, hits=page)
    else:
        _check_reranker(draft, candidates)
        draft.window = Window(first=0, rows=candidates, hits=candidates)


def _check_size(draft: Draft, wanted: int) -> None:
    options = draft.request.options
    if wanted > options.max_candidates:
        raise RetrievalError(
            f"limit {options.limit} + skip {options.skip} ask for {wanted} candidates",
            expected=f"at most max_candidates = {options.max_candidates}",
            next_step="lower limit or skip (or candidate_limit), or raise max_candidates",
            code=Code.RAG_RETRIEVAL_FAILED,
        )


def _check_reranker(draft: Draft, candidates: int) -> None:
    most = draft.reranking.most
    if most is not None and candidates > most:
        raise CallError(
            f"{candidates} candidates would go to the reranker {draft.reranking.id!r}",
            expected=f"at most {most}, which it takes at once",
            next_step="lower limit or top_k_multiplier, or set candidate_limit",
        )
