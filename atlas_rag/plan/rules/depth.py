"""How many documents each input pipeline contributes."""

from __future__ import annotations

from atlas_rag.errors import CallError
from atlas_rag.plan.draft import Draft
from atlas_rag.stages.vector import MAX_CANDIDATES

DEPTH_PER_HIT = 10
LEAST_DEPTH = 100
POSTFILTER_FACTOR = 10
"""How many more results are fetched where a postfilter will drop some of them."""
CANDIDATES_PER_DOCUMENT = 20
"""Source: the documentation's advice, numCandidates ≥ 20 × limit."""


def choose_depth(draft: Draft) -> None:
    """Chooses depth and num_candidates where the request does not.

    A fusion needs more of each input than it returns: depth is at least 10 × (limit + skip) and 100.

    Raises:
        CallError: INVALID_OPTION if an explicit depth cannot fill the window, or exceeds num_candidates.
    """
    options, window = draft.request.options, draft.window
    least = max(window.fetched, window.hits)
    chosen = max(least, DEPTH_PER_HIT * window.hits, LEAST_DEPTH) if draft.fuses else least
    if options.postfilter is not None or any(one.after is not None for one in draft.filters.values()):
        chosen *= POSTFILTER_FACTOR
    depth = options.depth if options.depth is not None else min(chosen, MAX_CANDIDATES)
    if depth < window.hits:
        raise CallError(
            f"depth is {depth}",
            expected=f"at least {window.hits}, which limit and skip (or candidate_limit) need",
            next_step="raise depth, or leave it out",
        )
    candidates = options.num_candidates
    if candidates is None:
        candidates = min(max(CANDIDATES_PER_DOCUMENT * depth, LEAST_DEPTH), MAX_CANDIDATES)
    if not depth <= candidates <= MAX_CANDIDATES:
        raise CallError(
            f"num_candidates is {candidates} with a depth of {depth}",
            expected=f"depth ≤ num_candidates ≤ {MAX_CANDIDATES}",
            next_step="raise num_candidates, or leave it out",
        )
    draft.depth = depth
    draft.num_candidates = candidates
