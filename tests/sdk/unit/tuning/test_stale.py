"""One changed byte is noticed: what depends on it is asked again, or refused offline."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from atlas_rag import LocalClient
from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect import RunCache, fingerprint
from atlas_rag.tuning.experiment import Experiment, ExperimentResult, run_experiment
from atlas_rag.tuning.experiment.session import Session
from tests.support.experiments import write_experiment

Change = Callable[[Path], None]


def in_line(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def one_bit(name: str) -> Change:
    """The last bit of one component of one vector."""

    def change(folder: Path) -> None:
        matrix = np.load(folder / "data" / name)
        matrix[7].view(np.int32)[3] ^= 1
        np.save(folder / "data" / name, matrix)

    return change


def swapped(name: str) -> Change:
    def change(folder: Path) -> None:
        matrix = np.load(folder / "data" / name)
        np.save(folder / "data" / name, matrix[::-1])

    return change


CHANGES: dict[str, tuple[Change, dict[str, int]]] = {  # change → requests that must be made again
    "a letter of a document": (
        in_line("data/corpus.jsonl", "The north bridge", "The North bridge"),
        {"keyword": 30, "vector": 30},
    ),
    "a bit of a document's vector": (one_bit("docs.npy"), {"keyword": 30, "vector": 30}),
    "vectors in another order": (swapped("docs.npy"), {"keyword": 30, "vector": 30}),
    "a letter of a query": (
        in_line("data/queries.jsonl", "bridge of the north", "bridges of the north"),
        {"keyword": 1},
    ),
    "a bit of a query's vector": (one_bit("queries.npy"), {"vector": 1}),
    "an option of an index": (
        in_line("places.toml", 'similarity = "cosine"', 'similarity = "dotProduct"'),
        {"keyword": 30, "vector": 30},
    ),
    "an analyzer": (in_line("places.toml", "lucene.english", "lucene.simple"), {"keyword": 30, "vector": 30}),
    "an option of a stage": (in_line("places.toml", "exact = true", "numCandidates = 30"), {"vector": 30}),
    "the depth": (in_line("places.toml", "depth = 12", "depth = 11"), {"keyword": 30, "vector": 30}),
}
names = pytest.mark.parametrize("name", list(CHANGES))


def run(folder: Path, version: str = "8.2", *, offline: bool = False) -> ExperimentResult:
    with LocalClient(folder / "db", server_version=version) as client:
        experiment = Experiment.read(folder / "places.toml")
        return run_experiment(
            experiment, client, folder / "out", cache=folder / "cache", offline=offline, allow=("vectors",)
        )


def requests(result: ExperimentResult) -> dict[str, int]:
    return {name: found.requests for name, found in result.collected.latency.items()}


@names
def test_what_depends_on_a_change_is_asked_again(tmp_path: Path, name: str) -> None:
    change, wanted = CHANGES[name]
    write_experiment(tmp_path)
    run(tmp_path)
    change(tmp_path)
    again = run(tmp_path)
    assert requests(again) == wanted
    with LocalClient() as fresh:
        afresh = run_experiment(Experiment.read(tmp_path / "places.toml"), fresh, tmp_path / "fresh")
    assert again.tuning.problem.mean([1, 2]).tolist() == afresh.tuning.problem.mean([1, 2]).tolist()
    assert requests(run(tmp_path)) == {}


@names
def test_offline_refuses_a_change(tmp_path: Path, name: str) -> None:
    write_experiment(tmp_path)
    run(tmp_path)
    CHANGES[name][0](tmp_path)
    with pytest.raises(ExperimentError, match=r"changed since|differ"):
        run(tmp_path, offline=True)


def test_another_release_is_noticed(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    run(tmp_path, "8.2")
    with pytest.raises(ExperimentError, match=r"facts\.release changed since"):
        run(tmp_path, "8.0", offline=True)
    assert requests(run(tmp_path, "8.0")) == {"keyword": 30, "vector": 30}


def test_another_engine_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_experiment(tmp_path)
    run(tmp_path)
    monkeypatch.setattr("atlas_rag.tuning.experiment.session.__version__", "0.0.9")
    with pytest.raises(ExperimentError, match=r"facts\.engine changed since"):
        run(tmp_path, offline=True)


def test_offline_answers_from_the_cache_alone_when_nothing_changed(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    first = run(tmp_path)
    again = run(tmp_path, offline=True)
    assert again.collected.latency == {}
    assert again.tuning.weights == first.tuning.weights


def test_a_changed_judgment_is_tuned_on_without_asking_anything(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    first = run(tmp_path)
    before = json.loads(first.files[1].read_text())["facts"]["digests"]
    assert {one.query: one.before for one in first.tuning.outcomes}["qnorthbridge"] > 0
    in_line("data/qrels.txt", "qnorthbridge 0 north-bridge 2", "qnorthbridge 0 north-bridge 0")(tmp_path)
    with LocalClient(tmp_path / "db") as client:
        session = Session.open(Experiment.read(tmp_path / "places.toml"), client)
    again = run(tmp_path, offline=True)
    assert again.collected.latency == {}
    assert {one.query: one.before for one in again.tuning.outcomes}["qnorthbridge"] == 0
    assert {name for name, value in session.digests.items() if value != before[name]} == {"judgments"}


def test_a_document_changed_behind_our_back_is_put_right(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    first = run(tmp_path)
    with LocalClient(tmp_path / "db") as client:
        places = client["experiments"]["places"]
        places.update_one({"_id": "north-bridge"}, {"$set": {"body": ""}})
        places.delete_one({"_id": "south-tower"})
        places.insert_one({"_id": "another"})
    with pytest.raises(ExperimentError, match="3 differ"):
        run(tmp_path, offline=True)
    assert run(tmp_path).tuning.weights == first.tuning.weights
    with LocalClient(tmp_path / "db") as client:
        assert client["experiments"]["places"].count_documents({}) == 30


def test_more_or_fewer_vectors_than_rows_are_refused(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    for name, what in (("docs.npy", "documents"), ("queries.npy", "queries")):
        matrix = np.load(tmp_path / "data" / name)
        for wrong in (matrix[:-1], np.concatenate((matrix, matrix[:1]))):
            np.save(tmp_path / "data" / name, wrong)
            with pytest.raises(ExperimentError, match=f"30 {what} and {len(wrong)} vectors"):
                run(tmp_path)
        np.save(tmp_path / "data" / name, matrix)


def test_a_fingerprint_holds_no_text_of_a_query(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    with LocalClient() as client:
        session = Session.open(Experiment.read(tmp_path / "places.toml"), client)
        shown = json.dumps(fingerprint(session.request, session.depends))
    assert "bridge of the north" not in shown


def test_rows_without_a_key_are_never_used(tmp_path: Path) -> None:
    write_experiment(tmp_path)
    run(tmp_path)
    with LocalClient(tmp_path / "db") as client:
        session = Session.open(Experiment.read(tmp_path / "places.toml"), client)
        facts = {**session.depends, "documents": "other"}
        store = RunCache.open(tmp_path / "cache", fingerprint(session.request, facts), offline=True)
    assert store.changes == ("facts.documents",)
    assert not store.has("qnorthbridge", "keyword", ["keyword", "vector"])
