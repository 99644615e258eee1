"""How much one call may ask for."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft

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


def check_limits(draft: Draft) -> None:
    """Refuses sizes that are no sizes, and windows beyond `max_candidates`.

    Raises:
        CallError: INVALID_OPTION; RAG_RETRIEVAL_FAILED (7202) when limit + skip exceed `max_candidates`.
    """
    request = draft.request
    for name, least in _LEAST.items():
        value = getattr(request, name)
        if value is None and name in _OPTIONAL:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise CallError(f"{name} is {value!r}", expected=f"an integer of at least {least}")
    window = max(request.limit + request.skip, request.window or 0)
    if window > request.max_candidates:
        raise CallError(
            f"limit {request.limit} + skip {request.skip} ask for {window} candidates",
            expected=f"at most max_candidates = {request.max_candidates}",
            next_step="lower limit or skip (or candidate_limit), or raise max_candidates",
            code=Code.RAG_RETRIEVAL_FAILED,
        )
