"""An experiment on a real server: nothing changes but the client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymongo
import pytest

from atlas_rag import LocalClient
from atlas_rag.tuning.experiment import Experiment, ExperimentResult, run_experiment
from tests.experiments import THINGS, read_experiment

ASCENDING = [{"$match": {"body": {"$regex": "{text}"}}}, {"$sort": {"_id": 1}}]
DESCENDING = [{"$match": {"body": {"$regex": "{text}"}}}, {"$sort": {"_id": -1}}]


def sorted_only(folder: Path) -> Experiment:
    """An experiment whose input pipelines rank by a plain sort, which every server can do."""
    queries = folder / "data" / "queries.jsonl"
    experiment = read_experiment(folder)
    queries.write_text("".join(f'{{"_id": "{thing}", "text": "{thing}"}}\n' for thing in THINGS))
    (folder / "data" / "qrels.txt").write_text("".join(f"{thing} 0 forest-{thing} 1\n" for thing in THINGS))
    changes: dict[str, Any] = {
        "indexes": [],
        "pipelines": {"down": DESCENDING, "up": ASCENDING},
        "thresholds": [],
        "expect": [],
        "search": experiment.search.model_copy(update={"candidates": None}),
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
