"""An experiment file, from the data to the report, on the in-process engine."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from atlas_rag import AsyncLocalClient, LocalClient
from atlas_rag.cli import main
from atlas_rag.drivers.choose import async_engine_for
from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect import Request, acollect, load_runs
from atlas_rag.tuning.experiment import Experiment, ExperimentResult, outer_sweep, run_experiment
from atlas_rag.tuning.experiment.content import query_vectors
from atlas_rag.tuning.experiment.load import judgments, load, queries
from atlas_rag.tuning.experiment.outer import Reranking
from atlas_rag.tuning.experiment.templates import from_template
from tests.support.experiments import DOCUMENTS, QUERIES, read_experiment, write_experiment


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> ExperimentResult:
    folder = tmp_path_factory.mktemp("experiment")
    with LocalClient() as client:
        return run_experiment(
            read_experiment(folder), client, folder / "out", cache=folder / "cache", verify=10
        )


def test_every_phase_leaves_its_result(result: ExperimentResult) -> None:
    assert list(result.seconds) == ["load and index", "collect", "tune", "verify", "study", "report"]
    assert [path.name for path in result.files][:2] == ["report.html", "weights.json"]
    assert {name: found.requests for name, found in result.collected.latency.items()} == {
        "keyword": 30,
        "vector": 30,
    }
    assert all(0 < found.p50 <= found.p95 for found in result.collected.latency.values())


def test_the_live_fusion_equals_the_offline_one(result: ExperimentResult) -> None:
    assert result.verified == 20  # ten queries at two weightings


def test_expected_values_are_checked(result: ExperimentResult) -> None:
    (checked,) = result.expectations
    assert checked.holds
    assert result.reproduced
    assert checked.found == 1.0


def test_the_page_shows_the_studies(result: ExperimentResult) -> None:
    page = result.files[0].read_text(encoding="utf-8")
    studies = ["depth 3, rank constant 10", "depth 12, keyword ≥ 0.5", "numCandidates 30", "precision ≥ 0.20"]
    for words in ("places 3", *studies, "made up"):
        assert words in page


def test_what_was_collected_is_kept(result: ExperimentResult) -> None:
    cached = load_runs(result.files[0].parents[1] / "cache" / "runs.npz")
    assert cached.queries == result.collected.runs.queries
    assert cached.ranked("vector", cached.queries[3]) == result.collected.runs.ranked(
        "vector", cached.queries[3]
    )


def test_a_second_run_asks_for_nothing(tmp_path: Path) -> None:
    experiment = read_experiment(tmp_path)
    with LocalClient() as client:
        first = run_experiment(experiment, client, tmp_path / "one", cache=tmp_path / "cache")
        again = run_experiment(experiment, client, tmp_path / "two", cache=tmp_path / "cache")
    assert again.collected.latency == {}
    assert again.tuning.weights == first.tuning.weights


def test_a_foreign_collection_is_left_alone(tmp_path: Path) -> None:
    experiment = read_experiment(tmp_path)
    with LocalClient() as client:
        collection = client["experiments"]["places"]
        collection.insert_one({"_id": "mine"})
        with pytest.raises(ExperimentError, match="holds 1 documents"):
            load(experiment, collection)
        assert collection.count_documents({}) == 1


def test_missing_data_is_named(tmp_path: Path) -> None:
    experiment = read_experiment(tmp_path)
    (tmp_path / "data" / "queries.npy").unlink()
    with LocalClient() as client, pytest.raises(ExperimentError, match=r"has no 'queries\.npy'"):
        load(experiment, client["experiments"]["places"])


async def test_an_asynchronous_client_collects_the_same(tmp_path: Path, result: ExperimentResult) -> None:
    experiment = read_experiment(tmp_path)
    with LocalClient(tmp_path / "db") as client:
        load(experiment, client["experiments"]["places"])
    asked = queries(experiment)
    vectors = query_vectors(experiment, asked)
    pipelines = {name: from_template(stages, vectors) for name, stages in experiment.pipelines.items()}
    async with AsyncLocalClient(tmp_path / "db") as client:
        engine = async_engine_for(client["experiments"]["places"])
        collected = await acollect(engine, Request("places", asked, pipelines, depth=12))
        fused = await acollect(engine, Request("places", asked, pipelines, depth=12, one_request=True))
    for name in ("keyword", "vector"):
        for query in collected.runs.queries:
            assert collected.runs.ranked(name, query) == result.collected.runs.ranked(name, query)
            assert sorted(fused.runs.ranked(name, query)) == sorted(collected.runs.ranked(name, query))


def test_outer_settings_are_tried_in_every_combination(result: ExperimentResult, tmp_path: Path) -> None:
    runs, experiment = result.collected.runs, read_experiment(tmp_path)
    judged = judgments(experiment, queries(experiment))
    perfect = {query["_id"]: {query["_id"][1:]: 0.0} for query in QUERIES}
    for query in QUERIES:
        wanted = next(doc["_id"] for doc in DOCUMENTS if doc["_id"].replace("-", "") == query["_id"][1:])
        perfect[query["_id"]] = {wanted: 1.0}
    found = outer_sweep(
        runs,
        judged,
        depths=[2, 12],
        thresholds=[{}, {"vector": 0.99}],
        rerankings=[None, Reranking(perfect, top=12)],
    )
    named = {one.setting: one for one in found}
    assert len(named) == 8
    assert all(one.best >= one.equal - 1e-12 for one in found)
    assert named["depth 12, first 12 reranked"].equal == pytest.approx(1.0)
    assert named["depth 2, vector ≥ 0.99"].equal <= named["depth 12"].best


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: text.replace("depth = 12", "depht = 12"), "collect.depht"),
        (lambda text: text.replace("holdout = 0.3", "holdout = 1.0"), "split.holdout"),
        (lambda text: text.replace('type = "search"', 'type = "serch"'), "indexes.0.type"),
        (lambda text: text + "[broken", "is no experiment"),
        (
            lambda text: text.replace("{vector}", "{vektor}"),
            r"nothing fills \{vektor\} \(did you mean '\{vector\}'",
        ),
        (lambda text: text.replace("{text}", "about {text}"), r"\{text\} stands inside a longer text"),
        (lambda text: text.replace("exact = true", "exactt = true"), 'did you mean "exact"'),
        (lambda text: text.replace('path = "body"', 'pth = "body"'), r"pipelines\.keyword.*pth"),
        (lambda text: text.replace('similarity = "cosine"', 'similarity = "cosin"'), r"indexes\.vectors"),
        (lambda text: text.replace('score = "keyword"', 'score = "keywords"'), "did you mean 'keyword'"),
        (lambda text: text.replace('pipeline = "vector"', 'pipeline = "vectr"'), "did you mean 'vector'"),
        (lambda text: text.replace("depths =", 'fusions = ["rnk"]\ndepths ='), r"search\.fusions\.0"),
    ],
)
def test_a_mistake_in_a_file_is_named(tmp_path: Path, change: Callable[[str], str], problem: str) -> None:
    path = write_experiment(tmp_path)
    path.write_text(change(path.read_text()))
    with pytest.raises(ExperimentError, match=problem):
        Experiment.read(path)


def test_all_mistakes_are_told_at_once_with_the_names_that_were_meant(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    text = path.read_text().replace("depth = 12", "depht = 12").replace("folds = 4", "fold = 4")
    path.write_text(text.replace('name = "places"\n', "").replace("holdout = 0.3", "holdout = 2"))
    with pytest.raises(ExperimentError) as caught:
        Experiment.read(path)
    for words in (
        "name: missing",
        "collect.depht: unknown (did you mean 'depth'?)",
        "split.fold: unknown (did you mean 'folds'?)",
        "split.holdout",
    ):
        assert words in str(caught.value)


def run(*words: str) -> tuple[int, str]:
    """Exit code and standard output of the command line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), pytest.raises(SystemExit) as left:
        main(words)
    code = left.value.code
    return (code if isinstance(code, int) else 0), out.getvalue()


def test_the_command_tunes_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "engine"))
    path = write_experiment(tmp_path)
    code, out = run("tune", str(path), "--out", str(tmp_path / "out"), "--json")
    found = json.loads(out)
    assert code == 0
    assert found["expectations"][0]["holds"]
    assert Path(found["files"][0]).exists()
    path.write_text(path.read_text().replace("value = 1.0", "value = 0.5"))
    code, out = run("tune", str(path), "--out", str(tmp_path / "out"))
    assert code == 1
    assert "NOT as expected" in out


def test_history_and_diff_tell_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "engine"))
    path = write_experiment(tmp_path)
    words = ("tune", str(path), "--out", str(tmp_path / "out"), "--fusion", "score:sigmoid", "--json")
    found = json.loads(run(*words)[1])
    assert found["fusion"] == "score:sigmoid"
    assert (found["stage"], found["normalization"]) == ("$scoreFusion", "sigmoid")
    queries_file = tmp_path / "data" / "queries.jsonl"
    queries_file.write_text(queries_file.read_text().replace("bridge of the north", "tower of the south", 1))
    assert run("tune", "run", str(path), "--out", str(tmp_path / "out"))[0] in (0, 1)
    code, out = run("tune", "history", "places")
    assert code == 0
    assert [line[:4] for line in out.splitlines()] == ["0001", "0002"]
    changed = json.loads(run("tune", "diff", "places", "--json")[1])
    assert "digests.queries" in changed["inputs"]
    assert "digests.documents" not in changed["inputs"]
    assert changed["fusion"] == ["score:sigmoid", "rank"]
    assert "qnorthbridge" in changed["queries"]
    assert "inputs that changed: digests.queries" in run("tune", "diff", "places", "1", "2")[1]
    assert run("tune", "diff", "places", "1", "9")[0] == 2


def test_an_unknown_fusion_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = run("tune", str(write_experiment(tmp_path)), "--fusion", "score:minmax")
    assert code == 2
    assert "did you mean 'score:minMaxScaler'?" in capsys.readouterr().err


def test_the_command_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    assert run("tune", str(tmp_path / "missing.toml"))[0] == 2


def test_compare_is_a_gate(tmp_path: Path) -> None:
    good, bad, qrels = tmp_path / "good.trec", tmp_path / "bad.trec", tmp_path / "qrels.txt"
    qrels.write_text("".join(f"q{n} 0 d 1\n" for n in range(6)))
    good.write_text("".join(f"q{n} Q0 d 1 2 x\nq{n} Q0 e 2 1 x\n" for n in range(6)))
    bad.write_text("".join(f"q{n} Q0 {'ed'[n > 0]} 1 2 x\nq{n} Q0 {'de'[n > 0]} 2 1 x\n" for n in range(6)))
    judged = ("--judgments", str(qrels))
    code, out = run(
        "compare", str(good), str(bad), *judged, "--measure", "RR@10", "--fail-if-worse", ".01", "--json"
    )
    found = json.loads(out)
    assert code == 1
    assert found["comparison"]["difference"] == pytest.approx(-0.5 / 6)
    assert found["losers"] == [["q0", 1.0, 0.5]]
    assert run("compare", str(good), str(bad), *judged, "--measure", "RR@10", "--fail-if-worse", ".1")[0] == 0
    assert run("compare", str(bad), str(good), *judged, "--fail-if-worse", "0")[0] == 0
    assert run("compare", str(bad), str(tmp_path / "none"), *judged)[0] == 2
