"""What would silently not be found is reported with counts, examples and the fix."""

from __future__ import annotations

import datetime
import math
from typing import Any
from uuid import UUID

import pytest
from bson import Binary, DatetimeMS, Decimal128, Int64, ObjectId
from bson.binary import BinaryVectorDtype

from atlas_rag import CallError, LocalClient
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import WantedIndex, check_documents
from atlas_rag.indexes.documents import judge_documents
from atlas_rag.wire import drive

FIELD = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}


def vectors(**options: Any) -> WantedIndex:
    fields = [{**FIELD, **options}, {"type": "filter", "path": "tenant"}]
    return WantedIndex("vectors", "vectorSearch", {"fields": fields})


def texts(**fields: Any) -> WantedIndex:
    return WantedIndex("texts", "search", {"mappings": {"dynamic": False, "fields": fields}})


def problems(index: WantedIndex, *documents: dict[str, Any]) -> list[str]:
    numbered = [{"_id": number, **document} for number, document in enumerate(documents)]
    return [f"{one.path} {one.count}: {one.problem}" for one in judge_documents(numbered, [index])]


BITS = Binary.from_vector([170], BinaryVectorDtype.PACKED_BIT)
BYTES = Binary.from_vector([1, 2], BinaryVectorDtype.INT8)


@pytest.mark.parametrize(
    ("value", "options", "problem"),
    [
        ([1.0, 2.0], {}, None),
        (Binary.from_vector([1.0, 2.0], BinaryVectorDtype.FLOAT32), {}, None),
        (BYTES, {}, None),
        (BITS, {"numDimensions": 8, "similarity": "euclidean"}, None),
        ([1.0], {}, "1 dimensions instead of 2: not indexed"),
        ([1.0, math.nan], {}, "not finite: not indexed"),
        ([1e39, 0.0], {}, "not finite: not indexed"),
        ([0.0, 0], {}, "all zeros under cosine: not indexed"),
        ([0.0, 0.0], {"similarity": "euclidean"}, None),
        ([1.0, "2"], {}, "holds what is not a number: not indexed"),
        ("1,2", {}, "is a str: not indexed"),
        (BYTES, {"quantization": "scalar"}, "INT8 in a quantized field: not indexed"),
        (BITS, {"numDimensions": 8}, "packed bits without euclidean similarity: not indexed"),
        ([[1.0, 2.0], [3.0, 4.0]], {}, "an array of vectors: only the first is indexed"),
    ],
)
def test_a_vector_that_is_not_indexed_is_reported(
    value: Any, options: dict[str, Any], problem: str | None
) -> None:
    found = problems(vectors(**options), {"v": value, "tenant": "a"})
    assert found == ([] if problem is None else [f"v 1: {problem}"])


def test_vectors_of_several_subdocuments_need_a_nested_root() -> None:
    chunks = {"chunks": [{"v": [1.0, 2.0]}, {"v": [1.0]}]}
    flat = {"fields": [{**FIELD, "path": "chunks.v"}]}
    index = WantedIndex("vectors", "vectorSearch", flat)
    assert problems(index, chunks) == ["chunks.v 1: several vectors: only the first is indexed"]
    nested = WantedIndex("vectors", "vectorSearch", {**flat, "nestedRoot": "chunks"})
    assert problems(nested, chunks) == ["chunks.v 1: 1 dimensions instead of 2: not indexed"]


def test_filter_fields_that_are_missing_mixed_or_text_of_object_ids() -> None:
    identifier = ObjectId()
    documents = [
        {"v": [1.0, 2.0], "tenant": identifier},
        {"v": [1.0, 2.0], "tenant": str(identifier)},
        {"v": [1.0, 2.0]},
    ]
    assert problems(vectors(), *documents) == [
        "tenant 1: missing filter field: found by negations only",
        "tenant 1: mixed types (objectId, string): a filter finds one type only",
        "tenant 1: the text of an ObjectId: no ObjectId ever equals it",
    ]


def test_values_that_a_typed_field_does_not_take() -> None:
    index = texts(
        day={"type": "date"},
        key={"type": "token"},
        both=[{"type": "string"}, {"type": "number"}],
        sub={"type": "document", "fields": {"n": {"type": "number"}}},
    )
    now = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    assert problems(index, {"day": now, "key": ["a", None], "both": 1, "sub": {"n": 2}}) == []
    found = problems(index, {"day": "2026-01-01", "key": "x" * 8192, "both": True, "sub": [{"n": "2"}]})
    assert found == [
        "both 1: a boolean where the index takes number or string: not indexed",
        "day 1: a string where the index takes date: not indexed",
        "key 1: longer than 8191 characters: cut where it is filtered",
        "sub.n 1: a string where the index takes number: not indexed",
    ]


BEYOND = "a whole number beyond 2^53: equal to its neighbours, as doubles are compared"


@pytest.mark.parametrize(
    ("mapping", "value", "problem"),
    [
        ({}, 2**53 - 1, None),
        ({}, 2**53, BEYOND),
        ({}, Int64(-(2**60)), BEYOND),
        ({}, [1, 2**60], BEYOND),
        ({}, 2.0**60, None),
        ({}, math.inf, "no finite number: found by sorting only"),
        ({}, math.nan, "no finite number: found by sorting only"),
        ({}, Decimal128("1"), "a Decimal128 where the index takes number: not indexed"),
        ({"representation": "int64"}, 2**60, None),
        ({"representation": "int64"}, 5.0, None),
        ({"representation": "int64"}, 5.5, "a fraction where the index keeps integers: cut off"),
        ({"representation": "int64"}, math.nan, "a fraction where the index keeps integers: cut off"),
        ({"indexIntegers": False}, 5, "an integer where the index takes doubles only: not indexed"),
        ({"indexIntegers": False}, 5.0, None),
        ({}, [[5]], "an array inside an array: an index takes it apart, $match does not"),
        ({"indexDoubles": False}, 5.0, "a double where the index takes integers only: not indexed"),
    ],
)
def test_numbers_that_a_mapping_does_not_keep_apart(mapping: Any, value: Any, problem: str | None) -> None:
    found = problems(texts(n={"type": "number", **mapping}), {"n": value})
    assert found == ([] if problem is None else [f"n 1: {problem}"])


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (2**53, BEYOND),
        (2**53 - 1, None),
        (None, None),
        (UUID(int=7), None),
        (Binary.from_uuid(UUID(int=7)), None),
        (DatetimeMS(5), None),
        (Decimal128("1"), "a Decimal128, which no filter compares: not indexed"),
        (b"x", "a binData, which no filter compares: not indexed"),
        ({"a": 1}, "a document, which no filter compares: not indexed"),
        ([["x"]], "an array inside an array: an index takes it apart, $match does not"),
    ],
    ids=str,
)
def test_values_that_a_vector_filter_does_not_compare(value: Any, problem: str | None) -> None:
    found = problems(vectors(), {"v": [1.0, 2.0], "tenant": value})
    assert found == ([] if problem is None else [f"tenant 1: {problem}"])


def test_every_form_of_a_kind_is_taken_as_that_kind() -> None:
    index = texts(d={"type": "date"}, u={"type": "uuid"}, n={"type": "number"}, b={"type": "boolean"})
    assert problems(index, {"d": DatetimeMS(5), "u": UUID(int=7), "n": Int64(5), "b": True}) == []


def test_the_most_frequent_comes_first_with_three_examples() -> None:
    documents = [{"_id": i, "v": [1.0], "tenant": 1} for i in range(5)] + [
        {"_id": 9, "v": [0, 0], "tenant": 1}
    ]
    first, second = judge_documents(documents, [vectors()])
    assert (first.count, first.examples, first.fix) == (5, (0, 1, 2), "embed with the model of the index")
    assert (second.count, second.examples) == (1, (9,))
    assert first.to_dict()["examples"] == ["0", "1", "2"]


def test_what_is_reported_is_what_the_engine_does_not_find() -> None:
    collection = LocalClient()["app"]["docs"]
    values = [[1.0, 0.0], [0.0, 0.0], [1.0], [math.inf, 1.0], "x", None, [1, 1]]
    collection.insert_many({"_id": i, "v": value, "tenant": "a"} for i, value in enumerate(values))
    index = vectors()
    collection.create_search_index(index.to_dict())
    search = {"index": "vectors", "path": "v", "queryVector": [1.0, 0.0], "exact": True, "limit": 100}
    found = {row["_id"] for row in collection.aggregate([{"$vectorSearch": search}])}
    read, reported = drive(check_documents("app.docs", [index]), engine_for(collection))
    assert read == len(values)
    assert {one for problem in reported for one in problem.examples} == set(range(len(values))) - found


def test_a_sample_of_nothing_is_refused() -> None:
    with pytest.raises(CallError):
        next(check_documents("app.docs", [vectors()], sample=0))
