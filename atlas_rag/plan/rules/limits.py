"""How much one call may ask for."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft


def check_limits(draft: Draft) -> None:
    """Refuses sizes that are no sizes, and windows beyond `max_candidates`.

    Raises:
        CallError: INVALID_OPTION; RAG_RETRIEVAL_FAILED (7202) when limit + skip exceed `max_candidates`.
    """
    request = draft.request
    for name, least in (("limit", 1), ("skip", 0), ("reject_window", 0), ("max_candidates", 1)):
        _check(name, getattr(request, name), least)
    for name in ("depth", "num_candidates", "window"):
        if getattr(request, name) is not None:
            _check(name, getattr(request, name), 1)
    window = max(request.limit + request.skip, request.window or 0)
    if window > request.max_candidates:
        raise CallError(
            f"limit {request.limit} + skip {request.skip} ask for {window} candidates",
            expected=f"at most max_candidates = {request.max_candidates}",
            next_step="lower limit or skip (or candidate_limit), or raise max_candidates",
            code=Code.RAG_RETRIEVAL_FAILED,
        )


def _check(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise CallError(f"{name} is {value!r}", expected=f"an integer of at least {least}")
