"""`atlas-rag index` and `atlas-rag probe`, as a deploy job calls them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from atlas_rag import LocalClient
from tests.support import deployments as play
from tests.support.command_line import Run
from tests.support.scripted import ScriptedServer, failure

FIELD = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}
VECTORS = {"name": "vectors", "type": "vectorSearch", "definition": {"fields": [FIELD]}}
TEXTS = {"name": "texts", "type": "search", "definition": {"mappings": {"dynamic": True}}}
WIDER = {**VECTORS, "definition": {"fields": [FIELD, {"type": "filter", "path": "tenant"}]}}
OTHER = {**VECTORS, "definition": {"fields": [{**FIELD, "numDimensions": 3}]}}


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "place"))
    monkeypatch.delenv("ATLAS_RAG_URI", raising=False)
    with LocalClient(tmp_path / "place" / "data") as client:
        client["app"]["docs"].insert_many([{"_id": 1, "v": [1.0, 0.0]}, {"_id": 2, "v": [1.0]}])


def written(folder: Path, *indexes: Any, name: str = "wanted.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(list(indexes)))
    return file


def test_a_whole_deployment_and_back(run: Run, tmp_path: Path) -> None:
    first = written(tmp_path, VECTORS)
    assert run("index", "plan", "app.docs", "-d", first).out == (
        "app.docs: 1 change\n  create  vectors\n          does not exist\n"
    )
    assert run("index", "plan", "app.docs", "-d", first, "--check").code == 1
    done = run("index", "apply", "app.docs", "-d", first)
    assert (done.code, done.out) == (0, "create vectors\ncan be queried: vectors\n")
    assert "vectors ready" in done.err
    assert run("index", "plan", "app.docs", "-d", first, "--check").code == 0
    second = written(tmp_path, WIDER, TEXTS)
    assert run("index", "apply", "app.docs", "-d", second, "--json").document["states"] == {
        "vectors": "READY",
        "texts": "READY",
    }
    again = run("index", "apply", "app.docs", "-d", second)
    assert again.out == "nothing to change\ncan be queried: vectors, texts\n"
    back = run("index", "rollback", "app.docs", "--json").document
    assert back["done"] == ["dropped texts", "updated vectors to what was there"]
    assert run("index", "rollback", "app.docs").out == "nothing to change\n"
    (state,) = run("index", "status", "app.docs", "--json").document
    assert (state["name"], state["definition"]) == ("vectors", VECTORS["definition"])


def test_a_dry_run_changes_nothing(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, VECTORS)
    assert run("index", "apply", "app.docs", "-d", file, "--dry-run").code == 0
    assert run("index", "status", "app.docs").out == "app.docs: 0 search indexes\n"
    assert not (tmp_path / "place" / "previous").exists()


def test_danger_is_refused_until_it_is_allowed(run: Run, tmp_path: Path) -> None:
    run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    file = written(tmp_path, OTHER)
    refused = run("index", "apply", "app.docs", "-d", file, "--json")
    assert (refused.code, refused.document["name"]) == (1, "INDEX_CHANGE_REFUSED")
    assert run("index", "apply", "app.docs", "-d", file, "--allow", "vectors").code == 0
    assert run("index", "rollback", "app.docs").out == "updated vectors to what was there\n"


def test_what_was_there_before_a_change_that_was_interrupted_is_kept(run: Run, tmp_path: Path) -> None:
    run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    bad = {"name": "bad", "type": "search", "definition": {}}
    stopped = run("index", "apply", "app.docs", "-d", written(tmp_path, WIDER, bad))
    assert stopped.code == 1
    assert "failed: bad:" in stopped.out
    run("index", "apply", "app.docs", "-d", written(tmp_path, OTHER), "--allow", "vectors")
    run("index", "rollback", "app.docs")
    (state,) = run("index", "status", "app.docs", "--json").document
    assert state["definition"] == VECTORS["definition"]


def test_dropping_needs_a_yes_and_can_be_taken_back(run: Run, tmp_path: Path) -> None:
    run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    assert "nothing was changed" in run("index", "drop", "app.docs", "vectors").out
    assert run("index", "drop", "app.docs", "vectors", "--yes").out == "dropped vectors\n"
    assert run("index", "drop", "app.docs", "vectors", "--yes").out == "nothing to drop\n"
    assert run("index", "rollback", "app.docs").out == "created vectors again\n"


def test_documents_are_checked_with_what_is_there(run: Run, tmp_path: Path) -> None:
    run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    found = run("index", "check-documents", "app.docs", "--json")
    assert found.code == 1
    (problem,) = found.document["problems"]
    assert (problem["problem"], problem["examples"]) == ("1 dimensions instead of 2: not indexed", ["2"])
    text = run("index", "check-documents", "app.docs").out
    assert "1 × vectors v: 1 dimensions instead of 2: not indexed\n      such as 2; embed" in text


def test_definitions_as_toml_python_or_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "indexes"
    folder.mkdir()
    (folder / "a.toml").write_text(
        '[[indexes]]\nname = "texts"\ntype = "search"\n[indexes.definition.mappings]\ndynamic = true\n'
    )
    (folder / "b.py").write_text(
        "from atlas_rag.indexes import WantedIndex\n"
        f"INDEXES = [WantedIndex('vectors', 'vectorSearch', {VECTORS['definition']!r})]\n"
    )
    assert run("index", "apply", "app.docs", "-d", folder).code == 0
    same = written(tmp_path, TEXTS, VECTORS)
    assert run("index", "wait", "app.docs", "-d", same, "--json").document == {
        "texts": "READY",
        "vectors": "READY",
    }


@pytest.mark.parametrize(
    "content", ["[", '{"name": "x"}', '{"name": "x", "type": "search", "definition": {}, "extra": 1}', "7"]
)
def test_a_file_without_indexes_is_a_wrong_call(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    outcome = run("index", "plan", "app.docs", "-d", tmp_path / "bad.json")
    assert outcome.code == 2
    assert "bad.json holds no indexes" in outcome.err


@pytest.mark.parametrize("words", [("app",), (".docs",), ("app.docs",), ("app.docs", "--recipe", "nothing")])
def test_wrong_calls_leave_with_2(run: Run, words: tuple[str, ...]) -> None:
    assert run("index", "plan", *words).code == 2


def test_a_recipe_names_its_indexes(run: Run) -> None:
    plan = run("index", "plan", "app.docs", "--recipe", "hybrid", "--json").document
    assert [change["name"] for change in plan["changes"]] == ["vector_index", "text_index"]


def test_limits_are_checked_first(run: Run, tmp_path: Path) -> None:
    many = [{**TEXTS, "name": f"t{i}"} for i in range(4)]
    outcome = run("index", "apply", "app.docs", "-d", written(tmp_path, *many), "--tier", "free", "--json")
    assert (outcome.code, outcome.document["name"]) == (1, "INDEX_QUOTA")


def test_the_address_comes_from_a_file_and_is_never_told(run: Run, tmp_path: Path) -> None:
    with ScriptedServer(play.atlas()) as server:
        (tmp_path / "uri").write_text(server.uri + "\n")
        outcome = run("index", "status", "app.docs", "--uri-file", tmp_path / "uri", "--json")
        assert [one["name"] for one in outcome.document] == ["vector_index", "text_index"]
    for wrong in ("mongodb://user:sec ret@[bad", "postgres://u:sec ret@h", "mongodb://u:sec@ret@h/?x"):
        outcome = run("index", "status", "app.docs", "--uri", wrong)
        assert outcome.code == 2
        assert "sec" not in outcome.out + outcome.err


# ---------------------------------------------------------------- probe


def test_a_probe_tells_what_is_there_and_what_a_need_lacks(run: Run, tmp_path: Path) -> None:
    well = run("probe", "app.docs", "--need", "hybrid", "--need", "native-fusion")
    assert well.code == 0
    assert well.out.startswith("app.docs on the in-process engine with search, release 8.2.0\n")
    lacking = run("probe", "app.docs", "-d", written(tmp_path, VECTORS), "--json")
    assert lacking.code == 1
    assert lacking.document["unmet"] == [
        {
            "index": "vectors",
            "problem": "there is no vectorSearch index of this name",
            "next_step": "create it, or use one of those that are there: none",
        }
    ]
    run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    assert run("probe", "app.docs", "-d", written(tmp_path, VECTORS)).code == 0


def test_a_probe_of_a_recipe_needs_its_mode_and_indexes(run: Run) -> None:
    with ScriptedServer(play.atlas()) as server:
        outcome = run("probe", "app.docs", "--recipe", "hybrid", "--uri", server.uri)
    assert outcome.code == 1
    assert "app.docs on Atlas Local with search, release 8.2.0" in outcome.out
    assert "unmet: vector_index: embedding: numDimensions is 3, not 1024" in outcome.out
    assert "unmet: text_index: kind is not indexed as token" in outcome.out


def test_a_probe_names_the_missing_privilege(run: Run) -> None:
    refusal = failure(13, "not authorized on app to execute command", "Unauthorized")
    with ScriptedServer(play.everywhere(refusal)) as server:
        outcome = run("probe", "app.docs", "--need", "indexes", "--uri", server.uri)
    assert outcome.code == 1
    assert "next: grant the action 'listSearchIndexes' on app.docs" in outcome.out


def test_a_probe_of_a_server_without_search(run: Run) -> None:
    script = play.aggregates(lambda stage, _: play.unknown_stage(stage))
    with ScriptedServer(script, version="6.0.5", modules=()) as server:
        outcome = run("probe", "app.docs", "--need", "vector", "--uri", server.uri)
    assert outcome.code == 1
    assert "a self-managed MongoDB without search, release 6.0.5" in outcome.out
    assert "$vectorSearch is absent: search not enabled (server code 40324)" in outcome.out


def test_an_unknown_need_is_a_wrong_call(run: Run) -> None:
    assert run("probe", "app.docs", "--need", "speed").code == 2


def test_a_deployment_that_does_not_answer_leaves_with_1(run: Run) -> None:
    nobody = "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100"
    outcome = run("probe", "app.docs", "--uri", nobody, "--json")
    assert (outcome.code, outcome.document["name"]) == (1, "SERVER_UNREACHABLE")


def test_a_terminal_sees_a_bar(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    outcome = run("index", "apply", "app.docs", "-d", written(tmp_path, VECTORS))
    assert outcome.out == "create vectors\ncan be queried: vectors\n"
    assert "━" in outcome.err


def test_an_index_that_says_ready_and_cannot_be_queried_is_unmet(run: Run, tmp_path: Path) -> None:
    """As a look-alike lists hidden indexes."""
    hidden = {**VECTORS, "latestDefinition": VECTORS["definition"], "status": "READY", "queryable": False}
    hidden.pop("definition")
    with ScriptedServer(play.atlas(indexes=(hidden,))) as server:
        outcome = run("probe", "app.docs", "-d", written(tmp_path, VECTORS), "--uri", server.uri)
    assert outcome.code == 1
    assert "unmet: vectors: is READY and cannot be queried" in outcome.out


# ---------------------------------------------------------------- a collection that is not there, or is empty


def test_a_plan_tells_about_a_missing_collection(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, VECTORS)
    told = run("index", "plan", "app.nowhere", "-d", file)
    assert "there is no collection app.nowhere: load documents first, or say --create-collection" in told.out
    assert run("index", "plan", "app.nowhere", "-d", file, "--json").document["collection_exists"] is False
    assert run("index", "plan", "app.docs", "-d", file, "--json").document["collection_exists"] is True


def test_applying_to_a_missing_collection_names_the_option(run: Run, tmp_path: Path) -> None:
    file = written(tmp_path, VECTORS)
    refused = run("index", "apply", "app.nowhere", "-d", file)
    assert (refused.code, refused.out) == (1, "")
    assert "There is no collection app.nowhere" in refused.err
    assert "--create-collection" in refused.err
    assert run("index", "apply", "app.nowhere", "-d", file, "--create-collection").code == 0


@pytest.mark.parametrize("words", [("check-documents",), ("status",)])
def test_a_missing_collection_is_no_success(run: Run, words: tuple[str, ...]) -> None:
    outcome = run("index", *words, "app.nowhere")
    assert outcome.code == 1
    assert "There is no collection app.nowhere" in outcome.err


def test_nothing_to_check_is_no_success(run: Run, tmp_path: Path) -> None:
    without_indexes = run("index", "check-documents", "app.docs")
    assert (without_indexes.code, "nothing was checked" in without_indexes.out) == (1, True)
    file = written(tmp_path, VECTORS)
    run("index", "apply", "app.empty", "-d", file, "--create-collection")
    empty = run("index", "check-documents", "app.empty", "-d", file)
    assert (empty.code, "0 documents" in empty.out, "nothing was checked" in empty.out) == (1, True, True)


def test_a_probe_tells_about_a_missing_collection(run: Run) -> None:
    assert "there is no collection app.nowhere yet" in run("probe", "app.nowhere").out
    assert run("probe", "app.docs", "--json").document["collection_exists"] is True
