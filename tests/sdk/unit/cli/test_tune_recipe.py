"""`atlas-rag tune RECIPE`: the next version of a recipe, from files or from runs alone."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from atlas_rag import CallError, HashingEmbedder
from atlas_rag.errors import ExperimentError
from atlas_rag.recipes import read_recipe, recipe_document
from atlas_rag.recipes.new import new_recipe
from atlas_rag.recipes.writing import write_recipe
from atlas_rag.tuning.data import Judgments, QuerySet, Runs
from atlas_rag.tuning.recipe import read_queries, tune_recipe
from tests.support.command_line import Run
from tests.support.places import ROOT

OWN = ROOT / "examples" / "own_data"
DATA = {"data": OWN / "articles.csv", "queries": OWN / "questions.csv", "judgments": OWN / "questions.csv"}
EMBEDDER = HashingEmbedder(64)


def test_a_recipe_is_tuned_from_files_on_the_command_line(tmp_path: Path, run: Run, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "folder"))
    made = run("recipe", "new", "shop", "--embedder", "hashing/384", "--text", "title", "--text", "text")
    assert made.code == 0, made.err
    words = [word for name, file in DATA.items() for word in (f"--{name}", str(file))]
    outcome = run("tune", "shop.toml", *words, "--json", "--fail-if-worse", "0.5")
    assert outcome.code == 0, outcome.err
    second = read_recipe(tmp_path / "shop-2.toml")
    assert json.loads(outcome.out)["recipe"] == recipe_document(second)
    assert dt.date.fromisoformat(second.provenance["date"])
    assert len(second.provenance["judgments_digest"]) == 16
    again = run("tune", "shop.toml", *words)
    assert (again.code, "shop-2.toml is there already" in again.err) == (2, True)


def test_a_recipe_is_tuned_from_runs_without_any_documents(
    tmp_path: Path, run: Run, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = write_recipe(tmp_path / "shop.toml", new_recipe("shop", EMBEDDER, ("text",), ()))
    queries = [f"q{number}" for number in range(30)]
    for name, best in (("keyword", "a-wrong"), ("vector", "right")):
        other = "right" if best == "a-wrong" else "a-wrong"
        lines = [f"{q} Q0 {best} 1 2.0 x\n{q} Q0 {other} 2 1.0 x\n" for q in queries]
        (tmp_path / f"{name}.trec").write_text("".join(lines), encoding="utf-8")
    (tmp_path / "q.csv").write_text("_id,text\n" + "".join(f"{q},{q}\n" for q in queries), encoding="utf-8")
    (tmp_path / "j.qrels").write_text("".join(f"{q} 0 right 1\n" for q in queries), encoding="utf-8")
    words = ["--queries", "q.csv", "--judgments", "j.qrels", "--measure", "RR@10"]
    outcome = run("tune", str(recipe), *words, "--runs", "keyword.trec", "--runs", "vector.trec")
    assert outcome.code == 0, outcome.err
    weights = read_recipe(tmp_path / "shop-2.toml").fusion.weights
    assert weights["vector"] > weights["keyword"]
    wrong = run("tune", str(recipe), *words, "--runs", "keyword.trec", "--write", "other.toml")
    assert (wrong.code, "keyword.trec, vector.trec" in wrong.err) == (2, True)


def test_an_example_is_written_beside_the_users_files(tmp_path: Path, run: Run) -> None:
    assert run("tune", "init", str(tmp_path), "--embedder", "hashing/64").code == 0
    assert read_recipe(tmp_path / "recipe.toml").name == "mine"
    assert len(read_queries(tmp_path / "questions.csv")) == 2
    again = run("tune", "init", str(tmp_path), "--embedder", "hashing/64")
    assert "is there already" in again.err


def test_what_cannot_be_tuned_is_told(tmp_path: Path, run: Run) -> None:
    alone = run("tune", "keyword", "--queries", "q", "--judgments", "j")
    assert (alone.code, "q cannot be used" in alone.err) == (2, True)
    nothing = run("tune", "hybrid")
    assert "--queries FILE and --judgments FILE" in nothing.err
    for text in ("", "a,b\n1,2\n", "not json"):
        file = tmp_path / "bad.jsonl"
        file.write_text(text or "[]\n", encoding="utf-8")
        with pytest.raises(ExperimentError):
            read_queries(file)
    recipe = read_recipe("keyword")
    with pytest.raises(ExperimentError, match="one input pipeline"):
        tune_recipe(recipe, Runs.of({}), QuerySet([]), Judgments.of({}))


def test_a_recipe_has_a_schema_for_editors(run: Run) -> None:
    schema = json.loads(run("recipe", "schema").out)
    assert {"name", "version", "mode", "inputs"} <= set(schema["required"])
    assert schema["additionalProperties"] is False


def test_a_definition_in_a_recipe_is_read_and_refused_by_place(tmp_path: Path) -> None:
    content = new_recipe("shop", EMBEDDER, ("text",), ("tenant",))
    assert read_recipe(write_recipe(tmp_path / "a.toml", content)).required_filters == ("tenant",)
    content["indexes"][0] = {"name": "x", "typ": "search"}
    with pytest.raises(CallError, match=r"indexes\.0"):
        write_recipe(tmp_path / "b.toml", content)
    assert not (tmp_path / "b.toml").exists()


def test_what_a_recipe_sends_can_be_locked(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "shop.toml"
    write_recipe(file, new_recipe("shop", EMBEDDER, ("text",), ("tenant",)))
    locked = run("recipe", "lock", str(file))
    assert (locked.code, (tmp_path / "shop-1.lock.json").exists()) == (0, True), locked.err
    assert run("recipe", "lock", str(file)).code == run("recipe", "check", str(file)).code == 0
    file.write_text(file.read_text(encoding="utf-8").replace('"text"', '"title"', 1), encoding="utf-8")
    changed = run("recipe", "check", str(file))
    assert (changed.code, "give it a new version" in changed.err) == (2, True)
