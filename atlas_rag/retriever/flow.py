"""The whole line as one protocol: know, embed if needed, choose, do, read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from atlas_rag.capability import CapabilityCache, CapabilityReport
from atlas_rag.embed import Embedder
from atlas_rag.errors import AtlasRagError
from atlas_rag.fusion import FusedItem, RankedList, fuse_ranks
from atlas_rag.hits import Contribution, Hit, Score, ScoreKind, read_hits
from atlas_rag.plan import Input, Plan, Route, make_plan
from atlas_rag.plan.needs import needs_vector
from atlas_rag.query.request import Request
from atlas_rag.retriever.record import record
from atlas_rag.retriever.result import Result
from atlas_rag.stages import as_vector
from atlas_rag.wire import Call, Protocol, Reply, gather


@dataclass(frozen=True, slots=True)
class Setup:
    """What every call of one retriever shares; nothing of it changes with a call."""

    retriever_id: str
    inputs: tuple[Input, ...]
    embedder: Embedder | None
    routes: tuple[Route, ...]
    capabilities: CapabilityCache
    time_limit_ms: int


def retrieve(namespace: str, request: Request, setup: Setup) -> Protocol[Result]:
    """One retrieval.

    Raises:
        CallError, RetrievalError, SearchIndexError: before any search is sent.
        ServerError: whatever the deployment answers.
    """
    report = yield from setup.capabilities.report(namespace)
    request = yield from _embedded(request, setup, report)
    plan = make_plan(request, setup.inputs, report, setup.routes)
    hits = yield from run(plan, setup.time_limit_ms)
    return _result(plan, hits, request, setup)


def _embedded(request: Request, setup: Setup, report: CapabilityReport) -> Protocol[Request]:
    if request.vector is not None:
        return replace(request, vector=as_vector(request.vector))
    if setup.embedder is None or not needs_vector(request, setup.inputs, report):
        return request
    embed = partial(setup.embedder.embed_query, request.text or "")
    vector = yield Call(embed, blocking=setup.embedder.blocking)
    return replace(request, vector=as_vector(vector))


def run(plan: Plan, time_limit_ms: int) -> Protocol[list[Hit]]:
    """Sends a plan and reads its hits, from the first after `skip` to the end of the reject window."""
    commands = plan.commands(time_limit_ms)
    if plan.route is Route.NONE:
        return []
    if plan.route is Route.CLIENT:
        replies = yield from gather(commands)
        return _fused(plan, dict(zip(plan.pipelines, map(_rows, replies), strict=True)))
    reply = yield commands[0]
    fused = plan.route is not Route.SINGLE
    hits = read_hits(
        reply.documents, plan.score_kind, inputs=plan.inputs if fused else None, weights=plan.weights
    )
    return [replace(hit, rank=hit.rank + plan.skip) for hit in hits] if plan.skip else hits


def _rows(answer: Reply | AtlasRagError) -> list[dict[str, Any]]:
    if isinstance(answer, AtlasRagError):
        raise answer
    return answer.documents


def _fused(plan: Plan, rows: Mapping[str, list[dict[str, Any]]]) -> list[Hit]:
    """Fuses the rows of each input pipeline as `$rankFusion` would, and cuts the same window."""
    by_name = {name: read_hits(rows[name], plan.inputs[name]) for name in plan.inputs}
    documents = {id(hit): hit for hits in by_name.values() for hit in hits}
    first: dict[Any, Hit] = {}
    for hit in documents.values():
        first.setdefault(_key(hit.id), hit)
    lists = [
        RankedList(name, [hit.id for hit in hits], [hit.score.value if hit.score else None for hit in hits])
        for name, hits in by_name.items()
    ]
    end = plan.skip + plan.limit + plan.reject_window
    items = fuse_ranks(lists, plan.weights or None, limit=end)
    return [
        _hit(item, rank, first[_key(item.id)], plan.inputs)
        for rank, item in enumerate(items, start=1)
        if rank > plan.skip
    ]


def _key(identity: Any) -> Any:
    from atlas_rag.fusion import id_order

    return id_order(identity)


def _hit(item: FusedItem, rank: int, found: Hit, inputs: Mapping[str, ScoreKind]) -> Hit:
    contributions = {
        one.name: Contribution(
            one.rank,
            one.weight,
            None if one.raw is None else Score(one.raw, inputs[one.name]),
            one.value,
        )
        for one in item.contributions
    }
    return replace(
        found, rank=rank, score=Score(item.score, ScoreKind.RANK_FUSION), contributions=contributions
    )


def _result(plan: Plan, hits: list[Hit], request: Request, setup: Setup) -> Result:
    admitted, rejected = tuple(hits[: plan.limit]), tuple(hits[plan.limit :])
    evidence = record(plan, admitted, rejected, request.text or "", setup.retriever_id)
    return Result(hits=admitted, plan=plan, evidence=evidence, rejected=rejected)
