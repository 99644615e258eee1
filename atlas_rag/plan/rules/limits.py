"""How much one call may ask for."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.query.request import Request

_LEAST = {
    "limit": 1,
    "skip": 0,
    "reject_window": 0,
    "max_candidates": 1,
    "depth": 1,
    "num_candidates": 1,
    "window": 1,
}
_OPTIONAL = frozenset({"depth", "num_candidates", "window"})


def check_sizes(request: Request) -> None:
    """Refuses sizes that are no sizes; those of a retriever were checked with its options.

    Raises:
        CallError: INVALID_OPTION.
    """
    for name, least in _LEAST.items():
        value = getattr(request, name)
        if value is None and name in _OPTIONAL:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise CallError(f"{name} is {value!r}", expected=f"an integer of at least {least}")


def check_window(draft: Draft) -> None:
    """Refuses windows beyond `max_candidates`.

    Raises:
        CallError: RAG_RETRIEVAL_FAILED (7202).
    """
    request = draft.request
    window = max(request.limit + request.skip, request.window or 0)
    if window > request.max_candidates:
        raise CallError(
            f"limit {request.limit} + skip {request.skip} ask for {window} candidates",
            expected=f"at most max_candidates = {request.max_candidates}",
            next_step="lower limit or skip (or candidate_limit), or raise max_candidates",
            code=Code.RAG_RETRIEVAL_FAILED,
        )
