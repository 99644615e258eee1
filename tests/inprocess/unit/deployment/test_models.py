"""Automated embedding and `$rerank`, by models that whoever opens the deployment gives it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient

TEXTS = {1: "red apples", 2: "green pears", 3: "red cherries", 4: ""}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Letters:
    """Counts letters; keeps what it was asked."""

    def __init__(self) -> None:
        self.batches: list[int] = []

    def embed_query(self, text: str) -> list[float]:
        return [float(text.count(letter)) for letter in LETTERS]

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.batches.append(len(texts))
        return [self.embed_query(text) for text in texts]


class Longest:
    """Prefers long texts, and has no opinion on short ones."""

    def rerank(self, query: str, texts: Sequence[str]) -> list[tuple[int, float]]:
        return [(at, float(len(text))) for at, text in enumerate(texts) if len(text) > 5]


class Broken:
    def embed_query(self, text: str) -> list[float]:
        raise RuntimeError(f"cannot embed {text}")

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        raise RuntimeError(f"cannot embed {texts}")


FIELD = {"type": "autoEmbed", "path": "t", "model": "voyage-4", "modality": "text"}


def indexed(client: LocalClient, **changes: Any) -> Any:
    things = client["d"]["c"]
    things.insert_many([{"_id": at, "t": text} for at, text in TEXTS.items()])
    field = {**FIELD, "numDimensions": 26, "similarity": "cosine", "quantization": "float", **changes}
    things.create_search_index({"name": "v", "type": "vectorSearch", "definition": {"fields": [field]}})
    return things


def ask(things: Any, query: Any, **options: Any) -> list[int]:
    body = {"index": "v", "path": "t", "query": query, "limit": 4, "exact": True, **options}
    return [document["_id"] for document in things.aggregate([{"$vectorSearch": body}])]


@pytest.fixture(name="client")
def opened() -> Iterator[LocalClient]:
    models = {"voyage-4": Letters(), "voyage-4-lite": Letters(), "other": Letters(), "broken": Broken()}
    with LocalClient(models=models, rerankers={"rerank-2.5": Longest()}) as client:
        yield client


def test_texts_are_found_by_texts(client: LocalClient) -> None:
    things = indexed(client)
    assert ask(things, "pears green") == [2, 3, 1]
    assert ask(things, {"text": "cherries"})[0] == 3
    assert ask(things, "pears green", model="voyage-4-lite") == [2, 3, 1]
    things.insert_one({"_id": 5, "t": "yellow plums"})
    assert ask(things, "plums yellow")[0] == 5


def test_what_a_definition_leaves_out_is_the_models() -> None:
    class Wide(Letters):
        def embed_query(self, text: str) -> list[float]:
            return [*super().embed_query(text), *([0.0] * (1024 - len(LETTERS)))]

    with LocalClient(models={"voyage-4": Wide()}) as client:
        things = client["d"]["c"]
        things.insert_one({"_id": 1, "t": "apple"})
        definition = {"fields": [FIELD]}
        things.create_search_index({"name": "v", "type": "vectorSearch", "definition": definition})
        (entry,) = things.list_search_indexes()
        assert entry["latestDefinition"] == definition
        assert ask(things, "apple") == [1]


def test_texts_are_embedded_once_and_together(tmp_path: Path) -> None:
    letters = Letters()
    with LocalClient(tmp_path, models={"voyage-4": letters}) as client:
        things = indexed(client)
        ask(things, "apple")
        ask(things, "pear")
    with LocalClient(tmp_path, models={"voyage-4": letters}) as client:
        assert ask(client["d"]["c"], "pears green") == [2, 3, 1]
    assert letters.batches == [3]


def test_a_model_that_was_not_given_is_refused_by_name(client: LocalClient) -> None:
    with pytest.raises(OperationFailure, match=r"voyage-99 .* voyage-4, voyage-4-lite"):
        indexed(client, model="voyage-99")


def test_a_question_is_embedded_in_the_space_of_the_index(client: LocalClient) -> None:
    things = indexed(client)
    with pytest.raises(OperationFailure, match="other is not compatible"):
        ask(things, "apple", model="other")


def test_a_model_that_fails_is_named_without_the_text(client: LocalClient) -> None:
    things = indexed(client, model="broken")
    with pytest.raises(OperationFailure, match="model broken failed: RuntimeError") as caught:
        ask(things, "apple")
    assert "cannot embed" not in str(caught.value)


def test_what_lacks_the_methods_is_no_model() -> None:
    with pytest.raises(TypeError, match="without embed_query and embed_documents"):
        LocalClient(models={"voyage-4": object()})  # type: ignore[dict-item]


def rerank(things: Any, **options: Any) -> list[tuple[int, float]]:
    stage = {"query": {"text": "q"}, "path": "t", "numDocsToRerank": 3, **options}
    rows = things.aggregate([{"$sort": {"_id": 1}}, {"$rerank": stage}, {"$set": {"s": {"$meta": "score"}}}])
    return [(row["_id"], row["s"]) for row in rows]


def test_rerank_orders_the_first_documents_by_the_models_score(client: LocalClient) -> None:
    client["d"]["c"].insert_many([{"_id": at, "t": text} for at, text in TEXTS.items()])
    assert rerank(client["d"]["c"]) == [(3, 12.0), (2, 11.0), (1, 10.0)]
    assert rerank(client["d"]["c"], numDocsToRerank=2) == [(2, 11.0), (1, 10.0)]
    assert rerank(client["d"]["c"], numDocsToRerank=4)[-1] == (1, 10.0)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"path": "missing"}, 8),
        ({"model": "rerank-9"}, 8),
        ({"numDocsToRerank": 0}, 2),
        ({"numDocsToRerank": 1001}, 2),
        ({"query": {"text": None}}, 40414),
        ({"unknown": 1}, 40415),
        ({"path": []}, 14),
    ],
)
def test_rerank_refuses_by_code(client: LocalClient, options: dict[str, Any], code: int) -> None:
    client["d"]["c"].insert_one({"_id": 1, "t": "x"})
    with pytest.raises(OperationFailure) as caught:
        rerank(client["d"]["c"], **options)
    assert caught.value.code == code


def test_rerank_is_unknown_without_a_model() -> None:
    with LocalClient() as client, pytest.raises(OperationFailure) as caught:
        rerank(client["d"]["c"])
    assert caught.value.code == 40324
