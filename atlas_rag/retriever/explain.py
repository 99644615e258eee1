"""Why one question is answered as it is: the plan, each hit's reasons, what the filter cut, and times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.errors import AtlasRagError
from atlas_rag.hits.hit import as_json
from atlas_rag.plan import Plan
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.setup import Setup
from atlas_rag.wire import Command, Flow, Reply, gather

DETAILS = "details"


@dataclass(frozen=True, slots=True)
class InputReport:
    """What one input pipeline did for a question.

    Args:
        found: documents that it brought. before_filter: that its search brought before the filter behind it,
            or None where there is none.
        reasons: by `_id` as text, the tree of why a document has its score; of `$search` only.
        explained: the deployment's own `explain`, or why it gave none.
    """

    found: int
    before_filter: int | None
    reasons: Mapping[str, Any] = field(repr=False)
    explained: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One question explained: `str` for people, `to_dict` for programs. Holds the question: not for logs."""

    result: Result
    pipelines: Mapping[str, Any] = field(repr=False)
    inputs: Mapping[str, InputReport] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        reports = {
            name: {
                "found": one.found,
                "before_filter": one.before_filter,
                "reasons": dict(one.reasons),
                "explained": one.explained,
            }
            for name, one in self.inputs.items()
        }
        return {**self.result.to_dict(), "pipelines": dict(self.pipelines), "inputs": reports}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        evidence = self.result.evidence
        yield f"{evidence.executed_mode}: {evidence.mode_reason}"
        yield f"{evidence.route}: {evidence.route_reason}"
        for name, one in self.inputs.items():
            cut = (
                ""
                if one.before_filter is None
                else f", {one.before_filter - one.found} cut by the filter behind it"
            )
            yield f"{name}: {one.found} documents{cut}"
        for hit in self.result:
            score = "unscored" if hit.score is None else f"{hit.score:.5f} {hit.score.kind.value}"
            yield f"{hit.rank}. {hit.id}: {score}"
            for name, said in hit.contributions.items():
                place = (
                    "not found"
                    if not said.found
                    else f"rank {said.rank or '-'}, score {said.raw}, adds {said.value:.5f}"
                )
                yield f"   {name}: {place}"
            for name, one in self.inputs.items():
                yield from _tree(one.reasons.get(str(hit.id)), f"   {name} ")
        if self.result.why_empty:
            yield self.result.why_empty
        yield from (f"note: {note}" for note in evidence.notes)
        yield ", ".join(f"{stage} {ms:.1f} ms" for stage, ms in evidence.stage_ms.items())


def explain(result: Result, setup: Setup) -> Flow[Explanation]:
    """Asks each input pipeline of a result once more, for its counts, score details and `explain`.

    Raises:
        ServerError: nothing that an input pipeline meets; each says what it met in its report.
    """
    plan = result.plan
    if plan is None:
        return Explanation(result, {}, {})
    reports: dict[str, InputReport] = {}
    for name, pipeline in plan.ranked.items():
        reports[name] = yield from _report(plan, pipeline.to_list(), setup)
    sent = {name: as_json(pipeline.to_list()) for name, pipeline in plan.pipelines.items()}
    return Explanation(result, sent, reports)


def _report(plan: Plan, stages: Sequence[Mapping[str, Any]], setup: Setup) -> Flow[InputReport]:
    belted = len(stages) > 1 and "$match" in stages[-1]
    counted = [*stages, {"$count": "n"}]
    unfiltered = [*stages[:-1], {"$count": "n"}]
    asked = [_aggregate(plan, counted, setup), _aggregate(plan, unfiltered, setup)]
    asked += [_aggregate(plan, _with_details(stages), setup), _explained(plan, stages, setup)]
    found, before, details, explained = yield from gather(asked)
    return InputReport(
        found=_count(found),
        before_filter=_count(before) if belted else None,
        reasons=_reasons(details),
        explained=as_json(dict(explained.body)) if isinstance(explained, Reply) else explained.problem,
    )


def _aggregate(plan: Plan, pipeline: Sequence[Mapping[str, Any]], setup: Setup) -> Command:
    return Command.aggregate(plan.collection, pipeline, time_limit_ms=setup.time_limit_ms)


def _explained(plan: Plan, stages: Sequence[Mapping[str, Any]], setup: Setup) -> Command:
    inner = {"aggregate": plan.collection, "pipeline": list(stages), "cursor": {}}
    body = {"explain": inner, "verbosity": "queryPlanner"}
    return Command(body, time_limit_ms=setup.time_limit_ms)


def _with_details(stages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    first, *others = stages
    if "$search" not in first:
        return [*stages, {"$limit": 1}, {"$project": {"_id": 1}}]
    detailed = {"$search": {**first["$search"], "scoreDetails": True}}
    return [detailed, *others, {"$project": {DETAILS: {"$meta": "searchScoreDetails"}}}]


def _reasons(answer: Reply | AtlasRagError) -> dict[str, Any]:
    if not isinstance(answer, Reply):
        return {}
    return {str(row["_id"]): as_json(row[DETAILS]) for row in answer.documents if DETAILS in row}


def _count(answer: Reply | AtlasRagError) -> int:
    return int(answer.documents[0]["n"]) if isinstance(answer, Reply) and answer.documents else 0


def _tree(details: Any, margin: str) -> Iterator[str]:
    """`scoreDetails` as lines, each part under what it is part of."""
    if not isinstance(details, Mapping):
        return
    yield f"{margin}{details.get('value')}: {details.get('description')}"
    for part in details.get("details") or ():
        yield from _tree(part, " " * len(margin) + "  ")
