"""What comes beside the hits: highlights, facets, a count, neighbours; and what of documents comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.note import Cause
from atlas_rag.plan.rules.single import check_paging, check_stored_source
from atlas_rag.query.mode import Mode
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.stages.operators.facet import Facet, FacetDefinition

UNEXACT = {Cause.FILTER_AFTER_SEARCH, Cause.FILTER_UNCHECKED}
"""Notes on a filter that an index does not decide alone: what it counts is not what the filter admits."""


def choose_beside(draft: Draft) -> None:
    """Which input is counted and highlighted, and which fields of documents come back.

    Raises:
        CallError: UNSUPPORTED_FILTER, facets or a count would tell of documents outside the filter;
            INVALID_OPTION, no facets, several inputs to count, or two options that both give the order.
    """
    options = draft.request.options
    if options.diversify is not None and (options.recency is not None or options.boost is not None):
        lift = "boost" if options.recency is None else "recency"
        raise CallError(
            f"{lift} and diversify both give the order of the hits",
            expected="one of them",
            next_step="leave one out, or lift what is new in a SearchInput with Near",
        )
    draft.projection = _projection(draft)
    if options.return_stored_source:
        check_stored_source(draft)
    if options.search_after is not None:
        check_paging(draft)
    if options.highlight or options.facets or options.count:
        _check_counts(draft, [one for one in draft.chosen if one.mode is Mode.KEYWORD])


def read_facets(facets: Mapping[str, Any]) -> Facet:
    """Facets as values, from values or their dictionaries.

    Raises:
        CallError: what a facet refuses.
    """
    read = {name: one.spell() if isinstance(one, FacetDefinition) else one for name, one in facets.items()}
    return Facet.read({"facets": read})


def _check_counts(draft: Draft, words: list[Input]) -> None:
    options = draft.request.options
    if options.facets:
        read_facets(options.facets)
    if not words:
        text = "no input pipeline looks for words: there is nothing to highlight or to count"
        draft.note(Cause.BESIDE_IDLE, text)
        return
    if not (options.facets or options.count):
        return
    if len(words) > 1:
        raise CallError(
            f"facets and count ask one input pipeline, and {', '.join(one.name for one in words)} run",
            expected="one input pipeline that looks for words",
            next_step="build $searchMeta with SearchMeta(…), or leave the other input out",
        )
    if "$match" in words[0].behind:
        raise CallError(
            f"facets and count would tell of documents that a $match of {words[0].name!r} leaves out",
            expected="an input pipeline whose search alone selects",
            next_step="move the condition into the search or into filter, or leave facets and count out",
        )
    inexact = [note for note in draft.notes if note.cause in UNEXACT and note.about == words[0].name]
    if inexact or options.postfilter is not None:
        why = inexact[0].text if inexact else "a postfilter acts on what comes back alone"
        raise CallError(
            f"facets and count would tell of documents outside the filter: {why}",
            expected="a filter that the search index decides",
            next_step="map the path of the filter in the search index, or leave facets and count out",
            code=Code.UNSUPPORTED_FILTER,
        )


def _projection(draft: Draft) -> tuple[str, ...] | None:
    """The paths that are asked for and those that this call itself reads; no path below another."""
    options = draft.request.options
    if options.projection is None:
        return None
    paths = sorted({*options.projection, *_read_here(options, draft)} - {"_id"})
    return tuple(path for path in paths if not any(path.startswith(f"{other}.") for other in paths))


def _read_here(options: RetrievalOptions, draft: Draft) -> Iterable[str]:
    if options.collapse is not None:
        yield options.collapse.by
    yield from (lift.path for lift in (options.recency, options.boost) if lift is not None)
    if options.neighbours is not None:
        yield from (options.neighbours.by, options.neighbours.position)
    if draft.reranking.by == "library":
        yield from draft.setting.reads
    if draft.reranking.native is not None:
        yield from draft.reranking.native.paths
