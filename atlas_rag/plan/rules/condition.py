"""One filter for every input pipeline: store filter and query filter, store first."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import VectorInput
from atlas_rag.query.filter import combine
from atlas_rag.stages.filters import simplify


def choose_condition(draft: Draft) -> None:
    """Combines and simplifies the filters, and checks them against the index definitions at hand.

    Raises:
        CallError: UNSUPPORTED_FILTER for a path that a vectorSearch index cannot filter on.
    """
    postfilter = draft.request.postfilter
    if postfilter is not None and simplify(postfilter) == "nothing":
        draft.condition = "nothing"
        return
    condition = combine(draft.request.store_filter, draft.request.filter)
    if condition is None:
        return
    simple = simplify(condition)
    if not isinstance(simple, str):
        for one in draft.chosen:
            if isinstance(one, VectorInput):
                _check_paths(draft, one, simple.paths())
    draft.condition = simple


def _check_paths(draft: Draft, source: VectorInput, paths: frozenset[str]) -> None:
    index = draft.report.index(source.index)
    if index is None:
        return
    missing = sorted(paths - index.filter_paths())
    if missing:
        raise CallError(
            f"The filter names {missing[0]!r}, which the index {source.index!r} cannot filter on",
            expected=f"filter paths {', '.join(sorted(index.filter_paths())) or '(none)'}",
            next_step=f"add {{'type': 'filter', 'path': '{missing[0]}'}} to the index definition",
            code=Code.UNSUPPORTED_FILTER,
        )
