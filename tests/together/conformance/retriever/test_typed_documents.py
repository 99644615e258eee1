"""Documents of hits as objects of the caller's own class."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from typing import Any

import pytest
from bson import ObjectId
from pydantic import BaseModel, ConfigDict, Field

from atlas_rag import CallError, Code, LexicalReranker, ReplyError
from tests.together.conformance.retriever.corpus import TEXTS, collection, retriever

QUESTION = "refunds within days"


class Note(BaseModel):
    key: str = Field(alias="_id")
    text: str
    n: int
    missing: str = "nothing"


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str


@dataclass
class Record:
    id: str
    title: str
    n: float = 0


@dataclass
class Owned:
    id: ObjectId
    text: str


class Strict(BaseModel):
    id: int
    text: str


class Vectored(BaseModel):
    embedding: list[float]


def test_a_document_is_an_object_of_the_class_and_a_mapping_beside_it() -> None:
    plain = retriever(collection()).retrieve(QUESTION)
    for kind in (Note, Record):
        asked = retriever(collection(), document=kind, reranker=None)
        result = asked.retrieve(QUESTION)
        assert result.hits == plain.hits
        for hit, same in zip(result, plain, strict=True):
            assert type(hit.document) is kind
            assert hit.fields == same.document
            assert hit.value_at("text") == TEXTS[hit.id]
            assert (same.fields, same.raw) == (same.document, None)
        assert json.loads(json.dumps(result.to_dict()))["hits"] == plain.to_dict()["hits"]
        assert pickle.loads(pickle.dumps(result))[0].document == result[0].document
        assert all(isinstance(hit.document, dict) for hit in result.rejected)
    note, record = (
        retriever(collection(), document=one).retrieve(QUESTION)[0].document for one in (Note, Record)
    )
    assert (note.key, note.missing) == (record.id, "nothing")


def test_rerankers_context_and_explanations_read_the_mapping() -> None:
    asked = retriever(collection(), document=Record, reranker=LexicalReranker())
    result = asked.retrieve(QUESTION, include_metadata=True)
    assert TEXTS[result[0].id] in str(asked.context(result).text)
    assert "tenant" in str(asked.context(result).text)
    assert asked.explain(QUESTION).to_dict()["hits"][0]["document"]["text"] == TEXTS[result[0].id]


@pytest.mark.parametrize(("kind", "field"), [(Strict, "id"), (Vectored, "embedding"), (Closed, "text")])
def test_a_document_that_does_not_fit_is_told_by_field_and_never_by_value(kind: Any, field: str) -> None:
    with pytest.raises(ReplyError) as caught:
        retriever(collection(), document=kind).retrieve("gift cards never expire")
    assert caught.value.code is Code.UNEXPECTED_REPLY
    assert f": {field} (" in caught.value.problem
    assert kind.__name__ in caught.value.problem
    assert "expire" not in str(caught.value)


def test_a_dataclass_may_hold_types_of_the_driver() -> None:
    shop = collection()
    own = ObjectId()
    shop.insert_one({"_id": own, "text": "marzipan"})
    asked = retriever(shop, document=Owned)
    assert asked.retrieve("marzipan", mode="keyword")[0].document == Owned(own, "marzipan")


@pytest.mark.parametrize("wrong", [dict, Record("a", "b"), "Note", 3])
def test_what_documents_cannot_be_made_into_is_refused_at_once(wrong: Any) -> None:
    with pytest.raises(CallError, match="a pydantic model or a dataclass"):
        retriever(collection(), document=wrong)
