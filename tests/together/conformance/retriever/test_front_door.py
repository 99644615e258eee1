"""The front door: what a retriever does beside retrieving, on both siblings."""

from __future__ import annotations

import asyncio
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from atlas_rag import (
    AsyncRetriever,
    CallError,
    Code,
    Filter,
    HashingEmbedder,
    LocalClient,
    RetrievalOptions,
    Retriever,
)
from atlas_rag.query.options import CallOptions
from tests.together.conformance.retriever.corpus import EMBEDDER, TEXTS, collection, retriever

QUESTION = "refunds within days"
NOTES = [{"_id": name, "text": text} for name, text in TEXTS.items()]


def test_from_an_empty_collection_to_an_answer_without_a_generator_in_sight() -> None:
    asked = Retriever(LocalClient()["shop"]["empty"], embedder=EMBEDDER, text_path="text")
    report = asked.load(NOTES)
    assert (report.written, asked.load(iter(NOTES)).written) == (len(NOTES), 0)
    states = asked.ensure_indexes()
    assert {state.name for state in states} == {"text_index", "vector_index"}
    assert asked.check_documents() == (len(NOTES), ())
    assert asked.retrieve(TEXTS["gift"])[0].id == "gift"


def test_the_asynchronous_sibling_has_the_same_door() -> None:
    async def walk() -> Any:
        asked = AsyncRetriever(LocalClient()["shop"]["empty"], embedder=EMBEDDER)
        await asked.load(NOTES)
        await asked.ensure_indexes()
        assert (await asked.check_documents())[0] == len(NOTES)
        explained = await asked.explain(TEXTS["gift"])
        return explained, await asked.retrieve_many([TEXTS["gift"], TEXTS["ship"]])

    explained, many = asyncio.run(walk())
    assert explained.result[0].id == "gift"
    assert [result[0].id for result in many] == ["gift", "ship"]


def test_loading_without_an_embedder_is_refused() -> None:
    with pytest.raises(CallError, match="no embedder"):
        Retriever(LocalClient()["a"]["b"]).load(NOTES)


def test_many_questions_have_an_outcome_each() -> None:
    outcomes = retriever(collection()).retrieve_many([TEXTS["gift"], "", 5, TEXTS["ship"]], concurrency=2)  # type: ignore[list-item]
    assert [len(one) if not isinstance(one, Exception) else one.code for one in outcomes] == [
        5,
        0,
        Code.INVALID_OPTION,
        5,
    ]
    for wrong in ("one string", ["a"]):
        with pytest.raises(CallError):
            retriever(collection()).retrieve_many(wrong, concurrency=0 if wrong == ["a"] else 1)  # type: ignore[arg-type]


def test_a_question_is_explained_for_people_and_for_programs() -> None:
    explained = retriever(collection(), store_filter=Filter.where("tenant", "a")).explain(QUESTION)
    told = str(explained)
    assert "weight" in told or "BM25" in told
    assert "rank 1" in told
    assert explained.inputs["keyword"].found > 0
    best = explained.result[0]
    assert explained.inputs["keyword"].reasons[best.id]["value"] == pytest.approx(
        best.contributions["keyword"].raw
    )
    document = json.loads(json.dumps(explained.to_dict()))
    assert document["pipelines"][""][0]["$rankFusion"]
    assert document["hits"][0]["id"] == best.id
    assert retriever(collection()).explain("").to_dict()["why_empty"]


def test_a_result_is_json_a_table_and_a_short_line() -> None:
    result = retriever(collection()).retrieve(QUESTION, limit=3)
    assert json.loads(json.dumps(result.to_dict()))["evidence"]["considered_count"] == 8
    assert repr(result) == "Result(3 hits, rank_fusion)"
    table = result._repr_html_()
    assert table.count("<tr>") == 4
    assert "<th>keyword</th>" in table
    empty = retriever(collection()).retrieve(QUESTION, filter={"tenant": "<b>"})
    assert "filter_matched_nothing" in repr(empty)
    assert "<table" not in empty._repr_html_()


def test_every_option_is_listed_once_for_people_and_once_for_type_checkers() -> None:
    listed = set(CallOptions.__annotations__) - {"vector", "mode"}
    assert listed == set(RetrievalOptions.defaults())
    for call in (Retriever.retrieve, AsyncRetriever.retrieve, Retriever.plan):
        shown = set(inspect.signature(call).parameters)
        assert shown >= {"vector", "mode", *listed} - {"search_mode"}
        for name in listed:
            assert f"{name}" in (call.__doc__ or "")
    assert inspect.signature(Retriever.retrieve).parameters["limit"].default == 5
    settings = inspect.signature(Retriever).parameters
    assert {"inputs", "embedder", "store_filter", "fusion", "updated_path"} <= set(settings)


RECIPE = """
name = "mine"
version = 3
mode = "hybrid"
required_filters = ["tenant"]
embedder = "atlas-rag-hashing-1/64"

[[inputs]]
kind = "vector"
exact = true

[[inputs]]
kind = "search"
name = "words"
index = "text_index"
operator = { phrase = { query = { "$question" = 1 }, path = "text", slop = 4 } }

[fusion]
method = "score"
normalization = "sigmoid"
weights = { words = 2.0 }

[options]
limit = 2
"""


def recipe(folder: Path, text: str) -> str:
    file = folder / "mine.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_recipe_says_inputs_fusion_options_and_what_every_call_must_give(tmp_path: Path) -> None:
    asked = Retriever.from_recipe(recipe(tmp_path, RECIPE), collection(), embedder=EMBEDDER)
    with pytest.raises(CallError) as caught:
        asked.retrieve(QUESTION)
    assert caught.value.code is Code.INVALID_FILTER
    assert "'tenant'" in caught.value.problem
    for wide in (Filter.where("tenant", "a") | Filter.where("n", 1), Filter.where("n", 1)):
        with pytest.raises(CallError):
            asked.retrieve(QUESTION, filter=wide)
    result = asked.retrieve("refunds are paid within days", filter={"tenant": "a"})
    assert (len(result), result.evidence.fusion, result.evidence.retriever_id) == (
        2,
        "score, sigmoid",
        "mine-3",
    )
    assert result.evidence.weights == {"vector": 1.0, "words": 2.0}


@pytest.mark.parametrize("length", [32, 128])
def test_a_recipe_refuses_an_embedder_of_another_space(tmp_path: Path, length: int) -> None:
    with pytest.raises(CallError, match="embedder"):
        Retriever.from_recipe(recipe(tmp_path, RECIPE), collection(), embedder=HashingEmbedder(length))


def test_a_wrong_recipe_tells_every_problem_at_once(tmp_path: Path) -> None:
    wrong = (
        RECIPE.replace('kind = "vector"', 'kind = "vectr"')
        .replace("sigmoid", "sigmoyd")
        .replace("limit", "limt")
    )
    with pytest.raises(CallError) as caught:
        Retriever.from_recipe(recipe(tmp_path, wrong), collection())
    for said in ("inputs.0", "'vector'", "fusion", "'sigmoid'", "options", "'limit'"):
        assert said in str(caught.value)
    with pytest.raises(CallError, match="format"):
        Retriever.from_recipe(recipe(tmp_path, "format = 2\n" + RECIPE), collection())
