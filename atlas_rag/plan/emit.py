"""A decided draft to aggregation pipelines: one function per route."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from atlas_rag.hits.mapper import DOCUMENT, SEQUENCE, envelope
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.fusions import FUSIONS
from atlas_rag.plan.inputs import Ask, Input
from atlas_rag.plan.inputs.base import NO_FILTER
from atlas_rag.stages import (
    Limit,
    Match,
    Pipeline,
    Project,
    ReplaceWith,
    Rerank,
    SetFields,
    Skip,
    Stage,
    Unset,
)
from atlas_rag.stages.filters import to_match

Ranked = Mapping[str, list[Stage]]
"""The ranked stages of each input pipeline that runs, by name."""

FLOORED = "__atlas_rag_score"
"""Field that holds a score while `min_score` looks at it."""


def ranked(draft: Draft, vectors: Mapping[str, Any]) -> dict[str, list[Stage]]:
    """Each search, and behind it the belt: the whole filter once more, in plain language.

    Args:
        vectors: query vectors by input pipeline name.
    """
    behind = belt(draft)
    return {
        one.name: [
            *one.ranked(
                Ask(
                    text=one.wording or draft.request.text or "",
                    keywords=draft.keywords.get(one.name, ""),
                    vector=vectors.get(one.name),
                    depth=draft.depth,
                    num_candidates=draft.num_candidates,
                    filter=draft.filters.get(one.name, NO_FILTER),
                )
            ),
            *behind,
        ]
        for one in draft.chosen
    }


def belt(draft: Draft) -> list[Stage]:
    """The whole filter of the question, in plain language; nothing where there is none."""
    return [] if isinstance(draft.belt, str) else [Match(to_match(draft.belt))]


def single(draft: Draft, ranked: Ranked) -> Pipeline:
    """One input pipeline, its window cut, its documents put beside their score."""
    (source,) = draft.chosen
    stages, cut = _with_options(draft, ranked[source.name]), (*_window(draft), *shown(draft))
    if draft.reranking.by == "deployment":
        return Pipeline(
            (*stages, *_floor(draft, source), *cut, *_reranked(draft), Project(envelope("score")))
        )
    token = {} if draft.request.options.search_after is None else {SEQUENCE: {"$meta": "searchSequenceToken"}}
    return Pipeline((*stages, *cut, Project({**envelope(source.meta), **token})))


def _with_options(draft: Draft, stages: list[Stage]) -> list[Stage]:
    """The stages of the only input, with what its search can be told in no fusion."""
    options, (search, *behind) = draft.request.options, stages
    told: dict[str, Any] = {}
    if options.return_stored_source:
        told["return_stored_source"] = True
    if options.search_after:
        told["search_after"] = options.search_after
    return [replace(search, **told), *behind] if told else stages  # type: ignore[type-var]


def native(draft: Draft, ranked: Ranked) -> Pipeline:
    """The fusion stage over the input pipelines."""
    fusion = draft.setting.fusion
    pipelines = {name: Pipeline(stages) for name, stages in ranked.items()}
    stage = FUSIONS[fusion.method].native(fusion, pipelines, draft.weights)
    fused = (stage, *_window(draft), *shown(draft))
    if draft.reranking.by == "deployment":
        return Pipeline((*fused, *_reranked(draft), Project(envelope("score"))))
    return Pipeline((*fused, Project(envelope("score", "scoreDetails"))))


def client(draft: Draft, ranked: Ranked) -> dict[str, Pipeline]:
    """One pipeline per input, to its full depth, each to be fused here."""
    return {
        one.name: Pipeline((*_scored(draft, one, ranked), Project(envelope(one.meta))))
        for one in draft.chosen
    }


def emulated(draft: Draft, ranked: Ranked, collection: str) -> Pipeline:
    """One aggregation that computes what the fusion stage computes.

    Needs: server 5.0 for window ranks, and both search stages inside `$unionWith`.
    """
    sources = {one.name: (_scored(draft, one, ranked), {"$meta": one.meta}) for one in draft.chosen}
    fusion = draft.setting.fusion
    fused = FUSIONS[fusion.method].emulated(fusion, sources, draft.weights or {}, collection, _window(draft))
    if draft.reranking.by != "deployment":
        return Pipeline(fused)
    again = (ReplaceWith(f"${DOCUMENT}"), *_reranked(draft), Project(envelope("score")))
    return Pipeline((*fused, *again))


def _reranked(draft: Draft) -> list[Stage]:
    """`$rerank` over the window; a field that a document lacks is set to "", or the stage would fail."""
    rerank = draft.reranking.native
    if rerank is None:
        return []
    return [
        SetFields({path: {"$ifNull": [f"${path}", ""]} for path in rerank.paths}),
        Rerank(
            query=draft.request.text or "",
            path=rerank.paths[0] if len(rerank.paths) == 1 else rerank.paths,
            num_docs_to_rerank=draft.window.rows,
            model=rerank.model,
        ),
    ]


def _scored(draft: Draft, source: Input, ranked: Ranked) -> list[Stage]:
    """The documents of one input that are to be fused: above its floor, without vectors."""
    return [*ranked[source.name], *_floor(draft, source), *shown(draft)]


def _floor(draft: Draft, source: Input) -> list[Stage]:
    """`min_score` of this input's own kind, before its documents get a rank."""
    floor = draft.floors.get(source.kind)
    if floor is None:
        return []
    return [
        SetFields({FLOORED: {"$meta": source.meta}}),
        Match({FLOORED: {"$gte": floor}}),
        Unset([FLOORED]),
    ]


def _window(draft: Draft) -> list[Stage]:
    first: list[Stage] = [Skip(draft.window.first)] if draft.window.first else []
    return [*first, Limit(draft.window.rows)]


def shown(draft: Draft) -> list[Stage]:
    """What of the documents comes back: no vectors, and of the rest what is asked for."""
    paths = sorted({path for one in draft.setting.inputs for path in one.vector_paths})
    without: list[Stage] = [Unset(paths)] if paths else []
    if draft.projection is None:
        return without
    return [*without, Project(dict.fromkeys(("_id", *draft.projection), 1))]
