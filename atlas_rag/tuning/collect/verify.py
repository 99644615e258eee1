"""The live `$rankFusion` of a deployment against the re-fused runs, id by id and bit by bit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from atlas_rag.errors import AtlasRagError, Code, ExperimentError
from atlas_rag.tuning.collect.collect import Request
from atlas_rag.tuning.collect.rows import limited
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import ScoredRow
from atlas_rag.tuning.problem.problem import FusionProblem, Weights
from atlas_rag.wire import Command, Flow, gather


@dataclass(frozen=True, slots=True)
class _Check:
    query: ExperimentQuery
    weights: dict[str, float]
    command: Command


def verifying(
    problem: FusionProblem, request: Request, weightings: Sequence[Weights], *, sample: int = 20
) -> Flow[int]:
    """A flow that compares whole rankings, ids and scores; returns how many were compared.

    Args:
        request: the one the problem's runs were collected with.
        weightings: such as equal weights, the winner, and one with a weight of 0.
        sample: queries compared at each weighting, spread over the query set; ≥ 1.
    Raises:
        ExperimentError: the first difference (7603).
        ServerError: a request that failed.
    """
    judged = [query for query in request.queries if query.id in set(problem.queries)]
    chosen = judged[:: max(1, len(judged) // sample)][:sample]
    checks = [_check(problem, request, query, weights) for weights in weightings for query in chosen]
    compared = 0
    for begin in range(0, len(checks), request.concurrency):
        batch = checks[begin : begin + request.concurrency]
        answers = yield from gather([check.command for check in batch])
        for check, answer in zip(batch, answers, strict=True):
            if isinstance(answer, AtlasRagError):
                raise answer
            online = [(row["_id"], float(row["score"])) for row in answer.documents]
            _compare(check, problem.ranking(check.weights)[check.query.id], online)
            compared += 1
    return compared


def _check(problem: FusionProblem, request: Request, query: ExperimentQuery, weights: Weights) -> _Check:
    (row,) = problem.weights(weights)
    named = dict(zip(problem.pipelines, map(float, row), strict=True))
    pipelines = {name: limited(request.pipelines[name](query), request.depth) for name in problem.pipelines}
    fusion = {"input": {"pipelines": pipelines}, "combination": {"weights": named}}
    stages = [{"$rankFusion": fusion}, {"$project": {"_id": 1, "score": {"$meta": "score"}}}]
    rows = request.depth * len(pipelines)
    return _Check(query, named, Command.aggregate(request.collection, stages, max_rows=rows))


def _compare(check: _Check, offline: Sequence[ScoredRow], online: Sequence[ScoredRow]) -> None:
    for place, (here, there) in enumerate(zip(offline, online, strict=False), start=1):
        if here != there:
            raise _failed(
                check,
                f"rank {place} is {here[0]!r} ({here[1]!r}) offline, {there[0]!r} ({there[1]!r}) online",
            )
    if len(offline) != len(online):
        raise _failed(check, f"there are {len(offline)} documents offline and {len(online)} online")


def _failed(check: _Check, difference: str) -> ExperimentError:
    return ExperimentError(
        f"query {check.query.id!r} at the weights {check.weights}: {difference}",
        expected="the same ids and scores",
        next_step="collect again if documents changed; approximate searches need equal num_candidates",
        code=Code.VERIFICATION_FAILED,
    )
