"""What one input pipeline can do and a fusion cannot: stored source, and paging by token."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.query.mode import Mode


def check_stored_source(draft: Draft) -> None:
    """Refuses stored source where the filter could not be said once more on what is stored.

    Raises:
        CallError: INVALID_OPTION, several input pipelines run; UNSUPPORTED_FILTER, a path of the filter is
            not in the stored source.
    """
    source = _only(draft, "return_stored_source", "leave it out, or ask with mode='keyword' or 'vector'")
    index = draft.report.index(source.index)
    stored = None if index is None else index.definition.get("storedSource")
    if not stored:
        raise CallError(
            f"The index {source.index!r} stores no source",
            expected='"storedSource" in its definition',
            next_step="add it, or leave return_stored_source out",
        )
    paths = set() if isinstance(draft.belt, str) else draft.belt.paths()
    lacking = sorted(path for path in paths if not _holds(stored, path))
    if lacking:
        raise CallError(
            f"The stored source of {source.index!r} lacks {lacking[0]!r}, which the filter asks for",
            expected="every path of the filter in the stored source",
            next_step=f"include {lacking[0]!r} in storedSource, or leave return_stored_source out",
            code=Code.UNSUPPORTED_FILTER,
        )


def check_paging(draft: Draft) -> None:
    """Refuses tokens where the order is not that of one `$search`.

    Raises:
        CallError: INVALID_OPTION.
    """
    options = draft.request.options
    source = _only(draft, "search_after", "page with skip")
    chosen = ("skip", "collapse", "diversify", "recency", "boost", "candidate_limit")
    others = [name for name in chosen if getattr(options, name)]
    others += [f"the {stage} behind {source.name!r}" for stage in source.behind]
    if others or draft.reranking.by != "nobody" or source.mode is not Mode.KEYWORD:
        what = others[0] if others else "a reranker" if source.mode is Mode.KEYWORD else "a vector search"
        raise CallError(
            f"search_after goes on in the order of one $search, which {what} does not keep",
            expected="mode='keyword', and nothing that changes the order",
            next_step="leave one of the two out, or page with skip",
        )


def _only(draft: Draft, option: str, next_step: str) -> Any:
    if draft.fuses:
        names = ", ".join(one.name for one in draft.chosen)
        raise CallError(
            f"{option} is for one input pipeline; {names} are fused, and fusion stages take none of it",
            expected="one input pipeline that runs",
            next_step=next_step,
        )
    return draft.chosen[0]


def _holds(stored: Any, path: str) -> bool:
    """Whether the stored source has everything at a path."""
    if not isinstance(stored, Mapping):
        return stored is True
    if "include" in stored:
        return any(path == one or path.startswith(f"{one}.") for one in stored["include"])
    excluded = stored.get("exclude", ())
    return not any(
        path == one or path.startswith(f"{one}.") or one.startswith(f"{path}.") for one in excluded
    )
