"""Sends a plan and reads its hits, fusing them here on the client route."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from atlas_rag.errors import AtlasRagError
from atlas_rag.fusion import FusedItem, RankedList, id_order
from atlas_rag.hits import Contribution, Hit, Score, read_hits
from atlas_rag.plan import Fusion, Plan, Route
from atlas_rag.plan.draft import left_out
from atlas_rag.plan.fusions import FUSIONS
from atlas_rag.query.options import Policy
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.retriever.trace import Trace
from atlas_rag.wire import Flow, Reply, gather


def execute(plan: Plan, time_limit_ms: int, on_input_failure: Policy, trace: Trace) -> Flow[list[Hit]]:
    """The hits of a plan, best first, ranked from `plan.skip + 1`.

    Args:
        on_input_failure: on the client route, "continue" leaves a failed input pipeline out and notes it,
            unless all have failed.

    Raises:
        ServerError.
    """
    commands = plan.commands(time_limit_ms)
    if plan.route is Route.NONE:
        return []
    if plan.route is Route.CLIENT:
        answers = yield from gather(commands)
        by_name = dict(zip(plan.pipelines, answers, strict=True))
        return _fused(plan, _surviving(by_name, on_input_failure, trace))
    reply = yield commands[0]
    detailed = plan.fusion is not None and plan.score_kind is plan.fusion.kind
    hits = read_hits(
        reply.documents, plan.score_kind, inputs=plan.inputs if detailed else None, weights=plan.weights
    )
    return [replace(hit, rank=hit.rank + plan.skip) for hit in hits] if plan.skip else hits


def _surviving(
    answers: Mapping[str, Reply | AtlasRagError], policy: Policy, trace: Trace
) -> dict[str, Reply]:
    failed = {name: answer for name, answer in answers.items() if isinstance(answer, AtlasRagError)}
    if failed and (policy == "refuse" or len(failed) == len(answers)):
        raise next(iter(failed.values()))
    trace.notes += [left_out(name, error) for name, error in failed.items()]
    return {name: answer for name, answer in answers.items() if isinstance(answer, Reply)}


def _fused(plan: Plan, replies: Mapping[str, Reply]) -> list[Hit]:
    """Fuses the rows of each input pipeline as the fusion stage would, and cuts the same window."""
    fusion = plan.fusion or Fusion()
    by_name = {name: read_hits(reply.documents, plan.inputs[name]) for name, reply in replies.items()}
    first: dict[object, Hit] = {}
    for name in sorted(by_name):
        for hit in by_name[name]:
            first.setdefault(id_order(hit.id), hit)
    lists = [
        RankedList(name, [hit.id for hit in hits], [hit.score.value if hit.score else None for hit in hits])
        for name, hits in by_name.items()
    ]
    weights = {name: plan.weights[name] for name in by_name if name in plan.weights}
    items = FUSIONS[fusion.method].here(fusion, lists, weights or None, plan.skip + plan.rows)
    return [
        _hit(item, rank, first[id_order(item.id)], plan.inputs, fusion.kind)
        for rank, item in enumerate(items, start=1)
        if rank > plan.skip
    ]


def _hit(item: FusedItem, rank: int, found: Hit, inputs: Mapping[str, ScoreKind], kind: ScoreKind) -> Hit:
    contributions = {
        one.name: Contribution(one.rank, one.weight, one.value, one.raw, inputs[one.name])
        for one in item.contributions
    }
    return replace(found, rank=rank, score=Score(item.score, kind), contributions=contributions)
