"""What comes beside the hits, in one further round: highlights, facets, a count, neighbouring chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from atlas_rag.capability import CapabilityReport
from atlas_rag.capability.listing import read_indexes
from atlas_rag.errors import AtlasRagError
from atlas_rag.fusion import id_order
from atlas_rag.hits import Hit
from atlas_rag.plan import Cause, Plan
from atlas_rag.plan.rules.beside import read_facets
from atlas_rag.query.after import Neighbours
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.retriever.collapsing import group_key
from atlas_rag.retriever.silent import differs
from atlas_rag.retriever.trace import Trace
from atlas_rag.stages import (
    Count,
    Highlight,
    Match,
    Pipeline,
    Project,
    Search,
    SearchMeta,
    VectorSearchOperator,
)
from atlas_rag.wire import Command, Flow, Reply, gather

Found = Mapping[Any, Sequence[Mapping[str, Any]]]
"""Something found for documents, by the order key of their `_id`."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What was asked for beside the hits; empty where it was not.

    Args:
        stale: an index is no longer as the report says, so that what was counted may not be what the filter
            admits: it is left out.
    """

    highlights: Found = field(default_factory=dict)
    neighbours: Found = field(default_factory=dict)
    facets: Mapping[str, Any] = field(default_factory=dict)
    count: int | None = None
    stale: bool = False

    def dress(self, hit: Hit) -> Hit:
        """The hit with what was found for it."""
        key = id_order(hit.id)
        shown, others = tuple(self.highlights.get(key, ())), tuple(self.neighbours.get(key, ()))
        return replace(hit, highlights=shown, neighbours=others) if shown or others else hit


NOTHING = Beside()


def asked_beside(options: RetrievalOptions) -> bool:
    """Whether a call asks for anything beside its hits."""
    return bool(options.highlight or options.facets or options.count or options.neighbours)


def beside(
    hits: Sequence[Hit],
    plan: Plan,
    options: RetrievalOptions,
    report: CapabilityReport,
    time_limit_ms: int,
    trace: Trace,
) -> Flow[Beside]:
    """Sends one request for each thing asked for, all at once.

    Raises:
        ServerError: whatever the deployment answers to one of them.
    """
    words = [ranked for ranked in plan.ranked.values() if _looks_for_words(ranked)]
    asked: dict[str, list[Any]] = {}
    if hits and options.highlight:
        for number, ranked in enumerate(words):
            asked[f"highlights {number}"] = _highlighting(ranked, hits, options.highlight)
    if words and (options.facets or options.count):
        asked["counts"] = _counting(words[0], options)
        if (
            plan.belt
        ):  # no belt holds counts: they are the filter's as long as the index decides it as planned
            asked["indexes"] = [{"$listSearchIndexes": {}}]
    if hits and options.neighbours is not None:
        asked["neighbours"] = _beside_hits(hits, plan, options.neighbours)
    commands = [
        Command.aggregate(plan.collection, one, time_limit_ms=time_limit_ms) for one in asked.values()
    ]
    answers = dict(zip(asked, (yield from gather(commands)), strict=True))
    replies = {name: _rows(answer) for name, answer in answers.items() if name != "indexes"}
    stale = "indexes" in answers and _changed(_rows(answers["indexes"]), plan, report)
    if stale:
        trace.note(Cause.BESIDE_IDLE, "an index has changed meanwhile: facets and count are left out")
    meta = {} if stale else replies.get("counts", [{}])[0]
    shown = [rows for name, rows in replies.items() if name.startswith("highlights")]
    return Beside(
        highlights=_by_document(shown),
        neighbours=_grouped(hits, replies.get("neighbours", []), options.neighbours),
        facets={name: one["buckets"] for name, one in meta.get("facet", {}).items()},
        count=_number(meta["count"]) if options.count and "count" in meta else None,
        stale=stale,
    )


def _looks_for_words(ranked: Pipeline) -> bool:
    first = ranked.stages[0]
    return isinstance(first, Search) and not isinstance(first.operator, VectorSearchOperator)


def _highlighting(ranked: Pipeline, hits: Sequence[Hit], paths: tuple[str, ...]) -> list[Any]:
    """The same input pipeline with highlights, cut to the hits."""
    search, *behind = ranked.stages
    marked = replace(search, highlight=Highlight(path=paths))  # type: ignore[type-var]
    ids = Match({"_id": {"$in": [hit.id for hit in hits]}})
    return Pipeline((marked, *behind, ids, Project({"highlights": {"$meta": "searchHighlights"}}))).to_list()


def _counting(ranked: Pipeline, options: RetrievalOptions) -> list[Any]:
    search: Any = ranked.stages[0]
    operator = search.operator
    if options.facets:
        operator = replace(read_facets(options.facets), operator=operator)
    count = Count(type=options.count or "lowerBound")
    return Pipeline([SearchMeta(index=search.index, operator=operator, count=count)]).to_list()


def _beside_hits(hits: Sequence[Hit], plan: Plan, wanted: Neighbours) -> list[Any]:
    places = [
        {
            wanted.by: {"$eq": hit.value_at(wanted.by)},
            wanted.position: {"$gte": place - wanted.before, "$lte": place + wanted.after},
        }
        for hit in hits
        if (place := _place(hit, wanted)) is not None
    ]
    either = Match({"$or": places}) if places else Match({"_id": {"$in": []}})
    return Pipeline((either, *plan.belt, *plan.shown)).to_list()


def _place(hit: Hit, wanted: Neighbours) -> int | None:
    place = hit.value_at(wanted.position)
    whole = isinstance(place, int) or (isinstance(place, float) and place.is_integer())
    known = whole and not isinstance(place, bool) and hit.value_at(wanted.by) is not None
    return int(place) if known else None


def _grouped(hits: Sequence[Hit], rows: Sequence[Mapping[str, Any]], wanted: Neighbours | None) -> Found:
    if wanted is None:
        return {}
    chunks: dict[Any, list[Hit]] = defaultdict(list)
    for row in rows:
        chunk = Hit(row["_id"], 0, None, row)
        if _place(chunk, wanted) is not None:
            chunks[group_key(chunk.value_at(wanted.by))].append(chunk)
    found: dict[Any, list[Mapping[str, Any]]] = {}
    for hit in hits:
        place = _place(hit, wanted)
        if place is not None:
            near = [
                (there, chunk)
                for chunk in chunks[group_key(hit.value_at(wanted.by))]
                if (there := _place(chunk, wanted)) is not None
                and -wanted.before <= there - place <= wanted.after
                and id_order(chunk.id) != id_order(hit.id)
            ]
            found[id_order(hit.id)] = [chunk.fields for _, chunk in sorted(near, key=lambda one: one[0])]
    return found


def _by_document(lists: Sequence[Sequence[Mapping[str, Any]]]) -> Found:
    found: dict[Any, list[Mapping[str, Any]]] = defaultdict(list)
    for rows in lists:
        for row in rows:
            found[id_order(row["_id"])] += row.get("highlights") or []
    return found


def _changed(listing: Sequence[Mapping[str, Any]], plan: Plan, report: CapabilityReport) -> bool:
    return differs({index.name: index for index in read_indexes(listing)}, plan, report)


def _rows(answer: Reply | AtlasRagError) -> Sequence[Mapping[str, Any]]:
    if isinstance(answer, AtlasRagError):
        raise answer
    return answer.documents


def _number(count: Mapping[str, Any]) -> int:
    return int(count["total"] if "total" in count else count["lowerBound"])
