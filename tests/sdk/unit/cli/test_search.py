"""`atlas-rag search` asks any collection, by a recipe or by the indexes that are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pymongo
import pytest

from atlas_rag import HashingEmbedder, LocalClient
from atlas_rag.serve import serve
from tests.support.command_line import Run

NOTES = {
    "refunds": ("Refunds take five days. Keep the receipt.", "billing"),
    "shipping": ("Parcels are shipped from Lisbon every morning.", "delivery"),
    "parcels": ("A lost parcel is searched for within a week.", "billing"),
}
VECTORS = {
    "name": "near",
    "type": "vectorSearch",
    "definition": {
        "fields": [
            {"type": "vector", "path": "embedding", "numDimensions": 64, "similarity": "cosine"},
            {"type": "filter", "path": "team"},
        ]
    },
}
WORDS = {
    "name": "words",
    "type": "search",
    "definition": {"mappings": {"fields": {"body": {"type": "string"}, "team": {"type": "token"}}}},
}
RECIPE = """
name = "notes"
version = 2
mode = "hybrid"
embedder = "atlas-rag-hashing-1/64"

[[inputs]]
kind = "vector"
index = "near"

[[inputs]]
kind = "keyword"
index = "words"
paths = ["body"]
"""


def fill(collection: Any, *indexes: Any) -> None:
    embedder = HashingEmbedder(64)
    collection.insert_many(
        {"_id": name, "title": name, "body": text, "team": team, "embedding": embedder.embed_query(text)}
        for name, (text, team) in NOTES.items()
    )
    for index in indexes:
        collection.create_search_index(index)


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "place"))
    monkeypatch.delenv("ATLAS_RAG_URI", raising=False)
    with LocalClient(tmp_path / "place" / "data") as client:
        fill(client["shop"]["notes"], VECTORS, WORDS)
        fill(client["shop"]["vectors"], VECTORS)
        fill(client["shop"]["dynamic"], {"name": "all", "definition": {"mappings": {"dynamic": True}}})


def test_a_question_is_answered_by_words_where_no_embedder_is_named(run: Run) -> None:
    outcome = run("search", "shop.notes", "how long does a refund take", "--json")
    assert outcome.document["evidence"]["executed_mode"] == "keyword"
    outcome = run("search", "shop.notes", "refunds")
    assert outcome.code == 0
    assert "keyword, single route, 1 hits" in outcome.out
    assert "Refunds take five days. Keep the receipt." in outcome.out


def test_an_embedder_makes_it_hybrid_with_ranks(run: Run) -> None:
    outcome = run("search", "shop.notes", "lost parcel", "--embedder", "hashing/64")
    assert outcome.out.startswith("hybrid, native route, 3 hits\n  1 parcels")
    assert "keyword 1 · vector 1" in outcome.out


def test_filter_limit_and_mode_hold(run: Run) -> None:
    outcome = run(
        *("search", "shop.notes", "parcel", "--embedder", "hashing/64", "--mode", "vector"),
        *("--filter", '{"team": "billing"}', "--limit", "1", "--json"),
    )
    (hit,) = outcome.document["hits"]
    assert (hit["id"], hit["kind"]) == ("parcels", "vector_similarity")


def test_an_empty_answer_says_why(run: Run) -> None:
    outcome = run("search", "shop.notes", "refunds", "--filter", '{"team": "nobody"}')
    assert outcome.code == 0
    assert "filter_matched_nothing: no document fits the filter" in outcome.out


def test_a_recipe_of_ones_own_says_how(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.toml").write_text(RECIPE)
    outcome = run("search", "shop.notes", "lost parcel", "--recipe", tmp_path / "notes.toml", "--json")
    assert outcome.document["evidence"]["retriever_id"] == "notes-2"
    assert outcome.document["hits"][0]["id"] == "parcels"


def test_a_dynamic_index_is_searched_in_the_strings_of_a_document(run: Run) -> None:
    outcome = run("search", "shop.dynamic", "lisbon", "--json")
    assert [hit["id"] for hit in outcome.document["hits"]] == ["shipping"]


def test_vectors_without_an_embedder_are_refused_with_the_option(run: Run) -> None:
    outcome = run("search", "shop.vectors", "lisbon")
    assert (outcome.code, outcome.out) == (1, "")
    assert "name the vectors' --embedder" in outcome.err


def test_a_deployment_is_asked_by_its_address(run: Run) -> None:
    with serve() as uri, pymongo.MongoClient[dict[str, Any]](uri) as client:
        fill(client["shop"]["remote"], VECTORS, WORDS)
        outcome = run("search", "shop.remote", "lisbon", "--uri", uri, "--json")
    assert [hit["id"] for hit in outcome.document["hits"]] == ["shipping"]


@pytest.mark.parametrize(
    "words",
    [
        ("shop", "?"),
        ("shop.notes", "?", "--mode", "hybird"),
        ("shop.notes", "?", "--recipe", "nothing"),
        ("shop.notes", "?", "--embedder", "nothing"),
        ("shop.notes", "?", "--filter", "{team"),
        ("shop.notes", "?", "--filter", "[]"),
        ("shop.notes", "?", "--filter", '{"$where": 1}'),
        ("shop.notes", "?", "--limit", "0"),
        ("shop.notes", "?", "--uri", "postgres://h"),
        ("shop.notes",),
    ],
)
def test_wrong_calls_leave_with_2_and_say_so(run: Run, words: tuple[str, ...]) -> None:
    outcome = run("search", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err


def test_what_is_not_there_leaves_with_1(run: Run) -> None:
    outcome = run("search", "shop.nowhere", "question")
    assert (outcome.code, outcome.out) == (1, "")
    assert "atlas-rag index apply" in outcome.err


@pytest.mark.parametrize("question", ["", "???", "$", "😀", "a" * 5000])
def test_odd_questions_are_answered_or_refused_in_a_line(run: Run, question: str) -> None:
    outcome = run("search", "shop.notes", question, "--embedder", "hashing/64")
    assert outcome.code in (0, 1, 2)
    assert "internal error" not in outcome.err


def test_a_question_can_be_explained(run: Run, tmp_path: Path) -> None:
    recipe = tmp_path / "notes.toml"
    recipe.write_text(RECIPE, encoding="utf-8")
    with serve() as uri, pymongo.MongoClient[dict[str, Any]](uri) as client:
        fill(client["shop"]["notes"], VECTORS, WORDS)
        words = ["search", "shop.notes", "lost parcel", "--recipe", str(recipe), "--uri", uri, "--explain"]
        told, document = run(*words), run(*words, "--json")
    assert told.code == document.code == 0, told.err
    assert "keyword: " in told.out
    assert "1. parcels: " in told.out
    assert set(json.loads(document.out)["inputs"]) == {"keyword", "vector"}
