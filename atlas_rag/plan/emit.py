"""A decided draft to aggregation pipelines: one function per route."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.fusion import RANK_CONSTANT
from atlas_rag.hits.mapper import DETAILS, DOCUMENT, SCORE, envelope
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input, KeywordInput, VectorInput
from atlas_rag.stages import (
    Boost,
    Compound,
    FilterOperator,
    Group,
    Limit,
    Match,
    Operator,
    Pipeline,
    Project,
    RankFusion,
    ReplaceWith,
    Rerank,
    Search,
    SetFields,
    SetWindowFields,
    Skip,
    Sort,
    Stage,
    Text,
    UnionWith,
    Unset,
    VectorSearch,
)
from atlas_rag.stages.filters import simplify, to_match, to_search_clauses, to_vector_search

META = {"vector": "vectorSearchScore", "keyword": "searchScore"}


def single(draft: Draft) -> Pipeline:
    """One input pipeline, its window cut, its documents put beside their score."""
    (source,) = draft.chosen
    ranked = (*_ranked(draft, source), *_window(draft), *_without_vectors(draft))
    shape = envelope("score") if draft.request.rerank else _envelope(source)
    return Pipeline((*ranked, *_reranked(draft), Project(shape)))


def native(draft: Draft) -> Pipeline:
    """`$rankFusion` over the input pipelines."""
    fusion = RankFusion(
        pipelines={one.name: Pipeline(_ranked(draft, one)) for one in draft.chosen},
        weights=draft.weights,
        score_details=True,
    )
    shape = envelope("score") if draft.request.rerank else envelope("score", "scoreDetails")
    ranked = (fusion, *_window(draft), *_without_vectors(draft))
    return Pipeline((*ranked, *_reranked(draft), Project(shape)))


def client(draft: Draft) -> dict[str, Pipeline]:
    """One pipeline per input, to its full depth, each to be fused here."""
    return {
        one.name: Pipeline((*_ranked(draft, one), *_without_vectors(draft), Project(_envelope(one))))
        for one in draft.chosen
    }


def emulated(draft: Draft, collection: str) -> Pipeline:
    """One aggregation that computes what `$rankFusion` computes, to the last bit.

    Needs: server 5.0 for window ranks, and both search stages inside `$unionWith`.
    """
    sources = {
        one.name: ([*_ranked(draft, one), *_without_vectors(draft)], {"$meta": META[one.mode]})
        for one in draft.chosen
    }
    fused = combined(sources, draft.weights or {}, collection, tail=_window(draft))
    if draft.request.rerank is None:
        return Pipeline(fused)
    again = (ReplaceWith(f"${DOCUMENT}"), *_reranked(draft), Project(envelope("score")))
    return Pipeline((*fused, *again))


def combined(
    sources: Mapping[str, tuple[Sequence[Stage], Any]],
    weights: Mapping[str, float],
    collection: str,
    *,
    tail: Sequence[Stage],
) -> list[Stage]:
    """The arithmetic of `$rankFusion` in plain stages.

    Ranks are competition ranks over the score; contributions are weight · (1 / (60 + rank)), added in name
    order; ties are broken by `_id`; a document of several inputs is kept once.

    Args:
        sources: stages of each input pipeline, and the expression that is its score.
        weights: by input pipeline name; omitted means 1.
        tail: stages on the ranked documents, before they are shaped.

    Source: the server's own desugaring of `$rankFusion`.
    """
    names = sorted(sources)
    parts = {name: _contributions(name, *sources[name], float(weights.get(name, 1.0))) for name in names}
    first, *others = names
    union = [UnionWith({"coll": collection, "pipeline": Pipeline(parts[name]).to_list()}) for name in others]
    merge: dict[str, Any] = {"_id": "$_id", DOCUMENT: {"$first": f"${DOCUMENT}"}}
    for name in names:
        merge[f"{name}_rank"] = {"$max": f"$inputs.{name}.rank"}
        merge[f"{name}_score"] = {"$max": f"$inputs.{name}.score"}
        merge[f"{name}_value"] = {"$max": {"$ifNull": [f"$inputs.{name}.value", 0]}}
    details = [
        {"inputPipelineName": name, "rank": {"$ifNull": [f"${name}_rank", 0]}, "value": f"${name}_score"}
        for name in names
    ]
    return [
        *parts[first],
        *union,
        Group(merge),
        SetFields({SCORE: _chained_sum([f"${name}_value" for name in names])}),
        Sort({SCORE: -1, "_id": 1}),
        *tail,
        Project({"_id": 0, DOCUMENT: 1, SCORE: 1, DETAILS: {"details": details}}),
    ]


def _chained_sum(values: list[Any]) -> Any:
    """Adds two at a time, left to right.

    Servers flatten a nested `$add` and then compensate its rounding; a − (−b) is a + b to the last bit and
    is left as it stands.
    """
    total, *rest = values
    for value in rest:
        total = {"$subtract": [total, {"$multiply": [value, -1]}]}
    return total


def _contributions(name: str, ranked: Sequence[Stage], score: Any, weight: float) -> list[Stage]:
    share = {"$multiply": [{"$divide": [1, {"$add": [RANK_CONSTANT, "$rank"]}]}, weight]}
    return [
        *ranked,
        Project({DOCUMENT: "$$ROOT", SCORE: score}),
        SetWindowFields({"sortBy": {SCORE: -1}, "output": {"rank": {"$rank": {}}}}),
        Project({DOCUMENT: 1, f"inputs.{name}": {"rank": "$rank", "score": f"${SCORE}", "value": share}}),
    ]


def _reranked(draft: Draft) -> list[Stage]:
    """`$rerank` over the window; a field that a document lacks is set to "", or the stage would fail."""
    rerank = draft.request.rerank
    if rerank is None:
        return []
    count = draft.request.window or draft.request.limit + draft.request.reject_window
    return [
        SetFields({path: {"$ifNull": [f"${path}", ""]} for path in rerank.paths}),
        Rerank(
            query=draft.request.text or "",
            path=rerank.paths[0] if len(rerank.paths) == 1 else rerank.paths,
            num_docs_to_rerank=count,
            model=rerank.model,
        ),
    ]


def _ranked(draft: Draft, source: Input) -> list[Stage]:
    stages: list[Stage]
    if isinstance(source, VectorInput):
        stages = [_vector_search(draft, source)]
    else:
        stages = [Search(index=source.index, operator=_keyword_operator(draft, source)), Limit(draft.depth)]
    postfilter = draft.request.postfilter
    simple = simplify(postfilter) if postfilter is not None else "everything"
    return stages if isinstance(simple, str) else [*stages, Match(to_match(simple))]


def _vector_search(draft: Draft, source: VectorInput) -> VectorSearch:
    condition = draft.condition
    return VectorSearch(
        index=source.index,
        path=source.path,
        query_vector=draft.request.vector,
        limit=draft.depth,
        num_candidates=None if source.exact else draft.num_candidates,
        exact=True if source.exact else None,
        filter=None if isinstance(condition, str) else to_vector_search(condition),
    )


def _keyword_operator(draft: Draft, source: KeywordInput) -> Operator:
    query = draft.request.keyword_text
    boosts = dict(source.boosts)
    plain = tuple(path for path in source.paths if path not in boosts)
    clauses: list[Operator] = []
    if plain:
        clauses.append(Text(query=query, path=plain[0] if len(plain) == 1 else plain))
    clauses += [Text(query=query, path=path, score=Boost(value=boost)) for path, boost in boosts.items()]
    question = clauses[0] if len(clauses) == 1 else Compound(should=tuple(clauses))
    if isinstance(draft.condition, str):
        return question
    guard = to_search_clauses(draft.condition)
    return Compound(
        must=(question,),
        filter=tuple(map(FilterOperator, guard["filter"])) if "filter" in guard else None,
        must_not=tuple(map(FilterOperator, guard["mustNot"])) if "mustNot" in guard else None,
    )


def _window(draft: Draft) -> list[Stage]:
    request = draft.request
    if request.window is not None:
        return [Limit(request.window)]
    skip: list[Stage] = [Skip(request.skip)] if request.skip else []
    return [*skip, Limit(request.limit + request.reject_window)]


def _without_vectors(draft: Draft) -> list[Stage]:
    paths = sorted({one.path for one in draft.inputs if isinstance(one, VectorInput)})
    return [Unset(paths)] if paths else []


def _envelope(source: Input) -> dict[str, Any]:
    return envelope(META[source.mode])
