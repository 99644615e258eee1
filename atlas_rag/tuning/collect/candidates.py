"""How many candidates an approximate search needs: recall against exact search, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.collect import Request, collect
from atlas_rag.tuning.collect.rows import Stages
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.wire import Engine


@dataclass(frozen=True, slots=True)
class TradeOff:
    """One setting.

    Args:
        label: such as "numCandidates 200" or "exact".
        recall: mean share of the exact result that is found, 0…1.
        p50, p95: seconds per request.
    """

    label: str
    recall: float
    p50: float
    p95: float


def candidate_study(engine: Engine, request: Request, pipeline: str, values: Sequence[int]) -> list[TradeOff]:
    """Collects one input pipeline again with each `numCandidates`, and once exactly.

    Args:
        pipeline: name of an input pipeline that begins with `$vectorSearch`.
        values: candidates, each at least the depth and at most 10 000.
    Raises:
        ExperimentError: the pipeline does not begin with `$vectorSearch` (7602).
    """
    build = request.pipelines[pipeline]

    def study(options: Mapping[str, Any]) -> tuple[Runs, float, float]:
        one = replace(request, pipelines={pipeline: _with(build, options)}, one_request=False)
        collected = collect(engine, one)
        latency = collected.latency[pipeline]
        return collected.runs, latency.p50, latency.p95

    exact, *times = study({"exact": True})
    points = []
    for value in values:
        runs, p50, p95 = study({"numCandidates": value})
        points.append(TradeOff(f"numCandidates {value}", _overlap(runs, exact, pipeline), p50, p95))
    return [*points, TradeOff("exact", 1.0, *times)]


def _with(
    build: Callable[[ExperimentQuery], Stages], options: Mapping[str, Any]
) -> Callable[[ExperimentQuery], Stages]:
    def changed(query: ExperimentQuery) -> Stages:
        first, *rest = build(query)
        if "$vectorSearch" not in first:
            raise ExperimentError(
                f"an input pipeline that begins with {next(iter(first))} has no candidates to vary",
                expected="$vectorSearch first",
            )
        body = {
            name: value
            for name, value in first["$vectorSearch"].items()
            if name not in ("exact", "numCandidates")
        }
        return [{"$vectorSearch": {**body, **options}}, *rest]

    return changed


def _overlap(runs: Runs, exact: Runs, pipeline: str) -> float:
    shares = []
    for query in exact.queries:
        wanted = {row[0] for row in exact.ranked(pipeline, query)}
        found = {row[0] for row in runs.ranked(pipeline, query)} if query in runs.queries else set()
        if wanted:
            shares.append(len(wanted & found) / len(wanted))
    return sum(shares) / len(shares) if shares else 1.0
