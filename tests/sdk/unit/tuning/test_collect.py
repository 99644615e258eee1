"""Collecting on an engine that answers by the book, caching, resuming and verifying."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from atlas_rag.errors import Code, ExperimentError, ServerError
from atlas_rag.fusion import RankedList, fuse_ranks
from atlas_rag.tuning.collect import (
    Latency,
    Request,
    RunCache,
    acollect,
    collect,
    fingerprint,
    load_runs,
    save_runs,
    verifying,
)
from atlas_rag.tuning.data import ExperimentQuery, Judgments, QuerySet, Runs
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.wire import Command, Reply, drive

LISTS = {
    "text": {"q1": [("b", 2.5), ("a", 2.5), ("c", 1.0)], "q2": [("a", 4.0)], "q3": []},
    "vector": {"q1": [("c", 0.9), ("b", 0.8)], "q2": [("b", 0.7), ("a", 0.6)], "q3": [("c", 0.5)]},
}
QUERIES = QuerySet.of({"q1": "one", "q2": "two", "q3": "three"})
JUDGMENTS = Judgments.of({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"a": 1}})


def text(query: ExperimentQuery) -> list[dict[str, Any]]:
    return [{"$search": {"index": "default", "text": {"query": query.id, "path": "body"}}}]


def vector(query: ExperimentQuery) -> list[dict[str, Any]]:
    return [
        {
            "$vectorSearch": {
                "index": "v",
                "path": "v",
                "queryVector": [0.1] * 20,
                "limit": 9,
                "name": query.id,
            }
        }
    ]


PIPELINES = {"vector": vector, "text": text}


class Deployment:
    """Serves `LISTS`, fuses by the scalar reference, and fails on demand."""

    namespace = "db.docs"

    def __init__(self, *, fail_after: int | None = None) -> None:
        self.commands: list[Command] = []
        self.fail_after = fail_after

    def run(self, command: Command) -> Reply:
        if self.fail_after is not None and len(self.commands) >= self.fail_after:
            raise ServerError("down", code=Code.SERVER_UNREACHABLE)
        self.commands.append(command)
        first, *rest = command.body["pipeline"]
        if "$rankFusion" in first:
            return Reply(self.fused(first["$rankFusion"], rest[-1]["$project"]))
        rows = self.rows([first, rest[0]])
        return Reply([{"_id": doc, "key": score} for doc, score in rows])

    def rows(self, stages: list[dict[str, Any]]) -> list[tuple[str, float]]:
        ((operator, body),) = stages[0].items()
        name, query = ("text", body["text"]["query"]) if operator == "$search" else ("vector", body["name"])
        return LISTS[name][query][: stages[-1]["$limit"]]

    def fused(self, body: dict[str, Any], wanted: dict[str, Any]) -> list[dict[str, Any]]:
        lists = []
        for name, stages in body["input"]["pipelines"].items():
            rows = self.rows(stages)
            lists.append(RankedList(name, [row[0] for row in rows], [row[1] for row in rows]))
        items = fuse_ranks(lists, body.get("combination", {}).get("weights"))
        if "score" in wanted:
            return [{"_id": item.id, "score": item.score} for item in items]
        return [
            {
                "_id": item.id,
                "details": {
                    "details": [
                        {"inputPipelineName": part.name, "rank": "NA"}
                        if part.rank is None
                        else {"inputPipelineName": part.name, "rank": part.rank, "value": part.raw}
                        for part in item.contributions
                    ]
                },
            }
            for item in items
        ]


class AsyncDeployment(Deployment):
    async def run(self, command: Command) -> Reply:  # type: ignore[override]
        return super().run(command)


def request(**options: Any) -> Request:
    return Request("docs", QUERIES, PIPELINES, depth=10, **options)


def tables(runs: Runs) -> dict[str, dict[str, list[tuple[Any, float]]]]:
    return {name: {query: runs.ranked(name, query) for query in runs.queries} for name in runs.pipelines}


def test_each_pipeline_is_asked_once_per_query() -> None:
    deployment = Deployment()
    seen = []
    collected = collect(deployment, request(concurrency=4), progress=lambda done, of: seen.append((done, of)))
    assert tables(collected.runs) == LISTS
    assert seen == [(4, 6), (6, 6)]
    assert {label: latency.requests for label, latency in collected.latency.items()} == {
        "text": 3,
        "vector": 3,
    }
    stages = deployment.commands[0].body["pipeline"]
    assert stages[1:] == [{"$limit": 10}, {"$project": {"_id": 1, "key": {"$meta": "searchScore"}}}]
    assert deployment.commands[0].max_rows == 10


def test_one_request_with_score_details_brings_the_same() -> None:
    deployment = Deployment()
    collected = collect(deployment, request(one_request=True))
    assert sorted(collected.runs.ranked("text", "q1")) == [("a", 2.5), ("b", 2.5), ("c", 1.0)]
    assert len(deployment.commands) == 3
    separate = FusionProblem(collect(Deployment(), request()).runs, JUDGMENTS)
    together = FusionProblem(collected.runs, JUDGMENTS)
    assert separate.ranking([0.3, 0.7]) == together.ranking([0.3, 0.7])


async def test_an_asynchronous_engine_collects_the_same() -> None:
    collected = await acollect(AsyncDeployment(), request())
    assert tables(collected.runs) == LISTS


def test_an_interrupted_collection_goes_on_where_it_stopped(tmp_path: Path) -> None:
    facts = fingerprint(request(), {"release": "8.2"})
    with pytest.raises(ServerError):
        collect(Deployment(fail_after=4), request(concurrency=2), cache=RunCache.open(tmp_path, facts))
    rest = Deployment()
    collected = collect(rest, request(), cache=RunCache.open(tmp_path, facts))
    assert len(rest.commands) == 2
    assert tables(collected.runs) == LISTS
    again = Deployment()
    assert tables(collect(again, request(), cache=RunCache.open(tmp_path, facts)).runs) == LISTS
    assert again.commands == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fingerprint.json", "runs.npz"]


def test_half_a_line_at_the_end_of_a_journal_is_asked_again(tmp_path: Path) -> None:
    facts = fingerprint(request(), {})
    with pytest.raises(ServerError):
        collect(Deployment(fail_after=4), request(concurrency=1), cache=RunCache.open(tmp_path, facts))
    journal = tmp_path / "journal.jsonl"
    journal.write_text(journal.read_text()[:-20])
    rest = Deployment()
    assert tables(collect(rest, request(), cache=RunCache.open(tmp_path, facts)).runs) == LISTS
    assert len(rest.commands) == 3


def test_answers_of_another_release_are_asked_again_or_refused_offline(tmp_path: Path) -> None:
    collect(
        Deployment(), request(), cache=RunCache.open(tmp_path, fingerprint(request(), {"release": "8.2"}))
    )
    other = fingerprint(request(), {"release": "8.3"})
    with pytest.raises(ExperimentError, match=r"6 answers are not in the cache: facts\.release changed"):
        collect(Deployment(), request(), cache=RunCache.open(tmp_path, other, offline=True))
    again = Deployment()
    assert tables(collect(again, request(), cache=RunCache.open(tmp_path, other)).runs) == LISTS
    assert len(again.commands) == 6


def test_with_one_request_for_all_an_answer_depends_on_the_other_pipelines_too(tmp_path: Path) -> None:
    def other(query: ExperimentQuery) -> list[dict[str, Any]]:
        return [{"$vectorSearch": {**vector(query)[0]["$vectorSearch"], "exact": True}}]

    whole = request(one_request=True)
    collect(Deployment(), whole, cache=RunCache.open(tmp_path, fingerprint(whole, {})))
    changed = Request("docs", QUERIES, {"text": text, "vector": other}, depth=10, one_request=True)
    again = Deployment()
    collect(again, changed, cache=RunCache.open(tmp_path, fingerprint(changed, {})))
    assert len(again.commands) == 3


def test_a_fingerprint_holds_no_vector_and_changes_with_it() -> None:
    def other(query: ExperimentQuery) -> list[dict[str, Any]]:
        return [{"$vectorSearch": {**vector(query)[0]["$vectorSearch"], "queryVector": [0.2] * 20}}]

    one = fingerprint(request(), {})
    two = fingerprint(Request("docs", QUERIES, {"text": text, "vector": other}, depth=10), {})
    assert one != two
    assert "0.1" not in str(one)
    assert one["pipelines"]["text"] == two["pipelines"]["text"]


def test_packed_runs_come_back_the_same(tmp_path: Path) -> None:
    runs = Runs.of({"a": {"q": [(1, 2.0), ("x", 1.0), (2.5, 1.0)]}, "b": {"q": [], "p": [("é", 0.1)]}})
    save_runs(tmp_path / "runs.npz", runs)
    back = load_runs(tmp_path / "runs.npz")
    assert (back.queries, back.documents) == (runs.queries, runs.documents)
    assert tables(back) == tables(runs)


def test_online_equals_offline() -> None:
    problem = FusionProblem(collect(Deployment(), request()).runs, JUDGMENTS)
    compared = drive(verifying(problem, request(), [[1, 1], [0.7, 0.3], [0, 1]]), Deployment())
    assert compared == 9


def test_the_first_difference_is_shown() -> None:
    problem = FusionProblem(collect(Deployment(), request()).runs.to_depth(1), JUDGMENTS)
    with pytest.raises(ExperimentError, match="query 'q1'") as caught:
        drive(verifying(problem, request(), [[1, 1]]), Deployment())
    assert caught.value.code == Code.VERIFICATION_FAILED


def test_a_pipeline_that_does_not_rank_is_refused() -> None:
    unranked = Request("docs", QUERIES, {"all": lambda query: [{"$match": {"x": query.id}}]})
    with pytest.raises(ExperimentError, match="no score or sort key"):
        collect(Deployment(), unranked)


def test_percentiles_are_of_the_nearest_rank() -> None:
    assert Latency.of([float(n) for n in range(1, 101)]) == Latency(100, 50.0, 95.0, 5050.0)
    assert Latency.of([]) == Latency(0, 0.0, 0.0, 0.0)
    assert Latency.of([3.0]) == Latency(1, 3.0, 3.0, 3.0)
