"""An experiment on a real server: nothing changes but the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymongo
import pytest

from atlas_rag import LocalClient
from atlas_rag.tuning.experiment import Experiment, ExperimentResult, run_experiment
from tests.support.experiments import THINGS, read_experiment

ASCENDING = [{"$match": {"body": {"$regex": "{text}"}}}, {"$sort": {"_id": 1}}]
DESCENDING = [{"$match": {"body": {"$regex": "{text}"}}}, {"$sort": {"_id": -1}}]


def sorted_only(folder: Path) -> Experiment:
    """An experiment whose input pipelines rank by a plain sort, which every server can do."""
    queries = folder / "data" / "queries.jsonl"
    experiment = read_experiment(folder)
    queries.write_text("".join(f'{{"_id": "{thing}", "text": "{thing}"}}\n' for thing in THINGS))
    (folder / "data" / "qrels.txt").write_text("".join(f"{thing} 0 forest-{thing} 1\n" for thing in THINGS))
    changes: dict[str, Any] = {
        "data": experiment.data.model_copy(update={"vectors": None}),
        "indexes": [],
        "pipelines": {"down": DESCENDING, "up": ASCENDING},
        "thresholds": [],
        "expect": [],
        "search": experiment.search.model_copy(update={"candidates": None, "least_scores": []}),
    }
    return experiment.model_copy(update=changes)


def means(result: ExperimentResult) -> dict[str, float]:
    return {row.name: row.tuning for row in result.tuning.rows}


@pytest.mark.mongod
def test_a_server_and_the_in_process_engine_give_the_same(
    tmp_path: Path, mongod_client: pymongo.MongoClient[dict[str, Any]]
) -> None:
    experiment = sorted_only(tmp_path)
    mongod_client.drop_database(experiment.collect.database)
    remote = run_experiment(experiment, mongod_client, tmp_path / "remote")
    with LocalClient() as client:
        local = run_experiment(experiment, client, tmp_path / "local")
    assert means(remote) == means(local)
    assert means(remote)["up alone"] == 1.0
    assert means(remote)["down alone"] < 0.5
    assert {name: found.requests for name, found in remote.collected.latency.items()} == {"down": 6, "up": 6}
    mongod_client.drop_database(experiment.collect.database)


SORTED_DOCUMENTS = [
    {"_id": 1, "n": 3, "a": [5, 1], "s": {"t": [{"u": 2}, {"u": 9}]}},
    {"_id": 2, "n": 3.0, "a": [], "s": {"t": {"u": [4, 7]}}},
    {"_id": 3, "n": None, "a": "text", "s": [{"t": [{"u": 3}, {}]}]},
    {"_id": 4, "a": [[1, 2], 0], "s": 5},
]


@pytest.mark.mongod
@pytest.mark.parametrize(
    "order",
    [{"_id": -1}, {"n": 1, "_id": -1}, {"n": -1, "_id": 1}, {"s.t.u": 1, "_id": 1}, {"s.t.u": -1, "_id": 1}],
    ids=str,
)
def test_sort_keys_are_those_of_a_server(
    mongod_client: pymongo.MongoClient[dict[str, Any]], order: dict[str, int]
) -> None:
    stages = [{"$sort": order}, {"$project": {"key": {"$meta": "sortKey"}}}]
    theirs = mongod_client["sort_keys"]["rows"]
    theirs.drop()
    theirs.insert_many(SORTED_DOCUMENTS)
    with LocalClient() as client:
        ours = client["sort_keys"]["rows"]
        ours.insert_many(SORTED_DOCUMENTS)
        assert list(ours.aggregate(stages)) == list(theirs.aggregate(stages))


@pytest.mark.mongod
@pytest.mark.parametrize("direction", [1, -1])
def test_sort_keys_of_arrays_are_those_of_a_server(
    mongod_client: pymongo.MongoClient[dict[str, Any]], direction: int
) -> None:
    stages = [
        {"$match": {"_id": {"$ne": 2}}},  # an empty array's key is a value that drivers no longer show
        {"$sort": {"a": direction, "_id": 1}},
        {"$project": {"key": {"$meta": "sortKey"}}},
    ]
    theirs = mongod_client["sort_keys"]["rows"]
    theirs.drop()
    theirs.insert_many(SORTED_DOCUMENTS)
    with LocalClient() as client:
        ours = client["sort_keys"]["rows"]
        ours.insert_many(SORTED_DOCUMENTS)
        assert list(ours.aggregate(stages)) == list(theirs.aggregate(stages))
