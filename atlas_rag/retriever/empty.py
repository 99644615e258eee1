"""Why a result is empty: asked in one extra round trip, and only then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from atlas_rag.capability.listing import read_indexes
from atlas_rag.capability.report import SearchIndex
from atlas_rag.hits.evidence import EmptyReason
from atlas_rag.plan import Plan, Route
from atlas_rag.query.filter import Filter
from atlas_rag.stages.filters import simplify, to_match
from atlas_rag.wire import Command, Flow, Reply, gather

Indexes: TypeAlias = Mapping[str, SearchIndex]
KIND = "kind"


def diagnose(
    plan: Plan, store_filter: Filter | None, condition: Filter | None, time_limit_ms: int
) -> Flow[tuple[EmptyReason, Indexes | None]]:
    """Why nothing came back: no documents, no index, an index that is not ready, filters, or just no match.

    Sends `$listSearchIndexes` and one aggregation of at most three documents, at once. The indexes that there
    are now come with it by name; None where they could not be listed.
    """
    if plan.route is Route.NONE:
        return "filter_matched_nothing", None
    listing, present = yield from gather(
        (
            Command.aggregate(plan.collection, [{"$listSearchIndexes": {}}], time_limit_ms=time_limit_ms),
            Command.aggregate(
                plan.collection,
                _presence(plan.collection, {"store": store_filter, "all": condition}),
                max_rows=3,
                time_limit_ms=time_limit_ms,
            ),
        )
    )
    states = None
    if isinstance(listing, Reply):
        states = {index.name: index for index in read_indexes(listing.documents)}
    found = {document[KIND] for document in present.documents} if isinstance(present, Reply) else None
    return _reason(plan, found, states, store_filter, condition), states


def _reason(
    plan: Plan,
    found: set[str] | None,
    states: Indexes | None,
    store_filter: Filter | None,
    condition: Filter | None,
) -> EmptyReason:
    if found is not None:
        if "corpus" not in found:
            return "corpus_empty"
        if store_filter is not None and "store" not in found:
            return "store_filter_matched_nothing"
        if condition is not None and "all" not in found:
            return "filter_matched_nothing"
    if states is not None:
        if any(name not in states for name in plan.indexes):
            return "index_missing"
        if any(not states[name].queryable for name in plan.indexes):
            return "index_building"
    return "no_candidates"


def _presence(collection: str, conditions: dict[str, Filter | None]) -> list[dict[str, Any]]:
    pipeline: list[dict[str, Any]] = [{"$limit": 1}, {"$project": {"_id": 0, KIND: {"$literal": "corpus"}}}]
    for kind, condition in conditions.items():
        simple = simplify(condition) if condition is not None else "everything"
        if not isinstance(simple, str):
            one: list[dict[str, Any]] = [
                {"$match": to_match(simple)},
                {"$limit": 1},
                {"$project": {"_id": 0, KIND: {"$literal": kind}}},
            ]
            pipeline.append({"$unionWith": {"coll": collection, "pipeline": one}})
    return pipeline
