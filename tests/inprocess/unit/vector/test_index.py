"""A vector index from writing to saving."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from bson import Binary
from bson.binary import BinaryVectorDtype

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.murmur3 import partition
from atlas_rag.inprocess.search.vector_index import VectorIndex, open_vector_index


def definition(similarity: str = "euclidean", dimensions: int = 2, **rest: Any) -> dict[str, Any]:
    field = {"type": "vector", "path": "v", "numDimensions": dimensions, "similarity": similarity}
    field.update({name: rest.pop(name) for name in ("quantization",) if name in rest})
    return {"fields": [field, {"type": "filter", "path": "n"}], **rest}


def ask(index: VectorIndex, vector: Any, limit: int = 10, **rest: Any) -> list[tuple[int, float]]:
    body = {"index": "i", "path": "v", "queryVector": vector, "limit": limit, "exact": True, **rest}
    if "numCandidates" in rest:
        del body["exact"]
    return [(hit.key, hit.score) for hit in index.search(body).hits]


def keys(*args: Any, **rest: Any) -> list[int]:
    return [key for key, _ in ask(*args, **rest)]


def filled(vectors: list[Any], *args: Any, **rest: Any) -> VectorIndex:
    index = open_vector_index(definition(*args, **rest))
    for key, vector in enumerate(vectors):
        index.put(key, {"_id": key, "v": vector, "n": key})
    return index


INT8, BIT, FLOAT = BinaryVectorDtype.INT8, BinaryVectorDtype.PACKED_BIT, BinaryVectorDtype.FLOAT32


@pytest.mark.parametrize(
    ("similarity", "expected"),
    [("euclidean", 1 / (1 + 8.0)), ("dotProduct", (1 + 11.0) / 2), ("cosine", (1 + 11 / math.sqrt(125)) / 2)],
)
def test_scores_follow_the_similarity(similarity: str, expected: float) -> None:
    index = filled([[3.0, 4.0]], similarity)
    assert ask(index, [1.0, 2.0]) == [(0, pytest.approx(expected, rel=1e-7))]


def test_the_worked_example_of_squared_distance() -> None:
    index = filled([[1, 0, 8, 1, 8], [2, -2, 1, 4, 4], [4, 10, -8, 22, 0]], "euclidean", 5)
    assert ask(index, [2, 4, -8, 2, 10]) == [
        (1, pytest.approx(0.00632911, abs=5e-9)),
        (0, pytest.approx(0.00358423, abs=5e-9)),
        (2, pytest.approx(0.00184843, abs=5e-9)),
    ]


def test_a_negative_inner_product_scores_zero() -> None:
    assert ask(filled([[-9.0, 0.0]], "dotProduct"), [1.0, 0.0]) == [(0, 0.0)]


def test_equal_scores_come_in_the_order_of_writing() -> None:
    index = filled([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    index.put(0, {"v": [1.0, 0.0]})
    assert keys(index, [1.0, 0.0]) == [2, 0, 1]


def test_equal_scores_come_by_partition_first() -> None:
    index = filled([[1.0, 0.0]] * 40, numPartitions=4)
    assert keys(index, [1.0, 0.0], 40) == sorted(range(40), key=lambda key: (partition(key, 4), key))


def test_a_removed_document_is_not_found() -> None:
    index = filled([[1.0, 0.0], [2.0, 0.0]])
    index.remove(0)
    index.remove(99)
    assert keys(index, [1.0, 0.0]) == [1]
    assert keys(index, [1.0, 0.0], filter={"n": {"$gte": 0}}) == [1]


def test_a_write_is_seen_by_the_next_question() -> None:
    index = filled([[1.0, 0.0]])
    assert keys(index, [5.0, 0.0], 1) == [0]
    index.put(7, {"v": [5.0, 0.0]})
    assert keys(index, [5.0, 0.0], 1) == [7]


def test_many_rewrites_leave_one_row_per_document() -> None:
    index = open_vector_index(definition())
    for turn in range(40):
        for key in range(20):
            index.put(key, {"v": [float(key), float(turn)], "n": key})
    assert sorted(keys(index, [0.0, 39.0], 99)) == list(range(20))
    assert ask(index, [3.0, 39.0], 1) == [(3, 1.0)]
    assert sorted(keys(index, [0.0, 39.0], 99, filter={"n": {"$lt": 5}})) == [0, 1, 2, 3, 4]


def test_lists_with_booleans_are_left_out_of_a_batch() -> None:
    vectors = [[1.0, 0.0], [True, 0.0], [0.0, 1.0], [1.0, False], [0.5, 0.5], [1, 0]]
    index = filled(vectors)
    assert sorted(keys(index, [1.0, 0.0])) == [0, 2, 4, 5]
    for key, vector in enumerate(vectors, start=6):
        index.put(key, {"_id": key, "v": vector})
    assert sorted(keys(index, [1.0, 0.0])) == [0, 2, 4, 5, 6, 8, 10, 11]
    index.remove(0)
    assert sorted(keys(index, [1.0, 0.0])) == [2, 4, 5, 6, 8, 10, 11]


@pytest.mark.parametrize(
    ("value", "indexed"),
    [
        ([1, 2.5], True),
        (Binary.from_vector([1.0, 2.5], FLOAT), True),
        ([[1.0, 2.5], [9.0, 9.0]], True),
        ([["x"], [1.0, 2.5]], True),
        ([[1.0], [1.0, 2.5]], False),
        ([1.0], False),
        ([1.0, "x"], False),
        ([1.0, None], False),
        ([1.0, True], False),
        ([True, False], False),
        ([1.0, math.nan], False),
        ([1.0, math.inf], False),
        ([1.0, 1e39], False),
        ("1,2", False),
        ([], False),
        (None, False),
    ],
    ids=str,
)
def test_what_is_indexed_as_a_vector(value: Any, indexed: bool) -> None:
    assert keys(filled([value]), [1.0, 2.5]) == ([0] if indexed else [])


def test_a_vector_without_length_is_indexed_unless_angles_are_measured() -> None:
    assert keys(filled([[0.0, 0.0], [1.0, 0.0]], "cosine"), [1.0, 0.0]) == [1]
    assert keys(filled([[0.0, 0.0], [1.0, 0.0]], "dotProduct"), [1.0, 0.0]) == [1, 0]


def test_the_first_of_an_array_of_documents_is_indexed() -> None:
    index = open_vector_index(
        {"fields": [{"type": "vector", "path": "s.v", "numDimensions": 1, "similarity": "euclidean"}]}
    )
    index.put(1, {"s": [{"x": 1}, {"v": [4.0]}, {"v": [9.0]}]})
    hits = index.search({"index": "i", "path": "s.v", "queryVector": [4.0], "limit": 1, "exact": True}).hits
    assert [(hit.key, hit.score) for hit in hits] == [(1, 1.0)]


def test_bytes_and_floats_do_not_meet() -> None:
    index = filled([[3.0, 4.0], Binary.from_vector([3, 4], INT8)])
    assert keys(index, [3.0, 4.0]) == [0]
    assert keys(index, Binary.from_vector([3, 4], INT8)) == [1]


@pytest.mark.parametrize(
    ("similarity", "expected"),
    [
        ("euclidean", 1 / (1 + 2**2 + 5**2)),
        ("dotProduct", 0.5 + (3 * 5 - 4 * 1) / (2 * 2**15)),
        ("cosine", (1 + 11 / (5 * math.sqrt(26))) / 2),
    ],
)
def test_scores_of_bytes(similarity: str, expected: float) -> None:
    index = filled([Binary.from_vector([3, -4], INT8)], similarity)
    assert ask(index, Binary.from_vector([5, 1], INT8)) == [(0, pytest.approx(expected, rel=1e-6))]


def test_scores_of_bits() -> None:
    index = filled([Binary.from_vector([0b11110000], BIT), Binary.from_vector([0], BIT)], "euclidean", 8)
    assert ask(index, Binary.from_vector([0b11000000], BIT)) == [(0, 6 / 8), (1, 6 / 8)]
    assert ask(index, Binary.from_vector([0b11110001], BIT), 1) == [(0, 7 / 8)]


def test_bits_are_not_indexed_without_euclidean_and_no_bytes_beside_quantization() -> None:
    bits = filled([Binary.from_vector([1], BIT)], "cosine", 8)
    with pytest.raises(EngineRefusal, match="euclidean"):
        ask(bits, Binary.from_vector([1], BIT))
    assert (
        keys(
            filled([Binary.from_vector([3, 4], INT8)], quantization="scalar"),
            Binary.from_vector([3, 4], INT8),
        )
        == []
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"queryVector": [1.0]}, "vector field is indexed with 2 dimensions but queried with 1"),
        ({"queryVector": []}, "vector field is indexed with 2 dimensions but queried with 0"),
        ({"queryVector": [0.0, 0.0]}, "Cosine similarity cannot be calculated against a zero vector."),
        ({"path": "nope"}, "nope is not indexed as vector"),
        ({"filter": {"zz": 1}}, "Path 'zz' needs to be indexed as filter"),
        ({"exact": False}, "numCandidates is required for approximate vector search"),
        (
            {"nestedOptions": {"scoreMode": "max"}},
            "nestedOptions requires a vector path within the index's nested root",
        ),
        ({"limit": 0}, '"limit" must be positive'),
        ({"queryVector": None, "query": "text"}, "queryVector must be present"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refusals_are_the_engines_own(body: dict[str, Any], message: str) -> None:
    index = filled([[1.0, 0.0]], "cosine")
    whole = {"index": "i", "path": "v", "queryVector": [1.0, 0.0], "limit": 1, "exact": True, **body}
    whole = {name: value for name, value in whole.items() if value is not None}
    with pytest.raises(EngineRefusal) as caught:
        index.search(whole)
    assert caught.value.text == message


def test_models_that_were_not_given_are_refused_by_name() -> None:
    with pytest.raises(EngineRefusal, match="model voyage-4 is not known"):
        open_vector_index(
            {"fields": [{"type": "autoEmbed", "path": "t", "modality": "text", "model": "voyage-4"}]}
        )


def test_a_parent_filter_without_a_nested_root_is_a_second_filter() -> None:
    index = filled([[float(n), 0.0] for n in range(9)])
    assert keys(index, [0.0, 0.0], filter={"n": {"$gte": 3}}, parentFilter={"n": {"$lt": 5}}) == [3, 4]


def test_the_limit_of_the_pipeline_cuts_without_changing_the_order() -> None:
    index = filled([[float(n), 0.0] for n in range(9)])
    body = {"index": "i", "path": "v", "queryVector": [0.0, 0.0], "limit": 8, "exact": True}
    assert [hit.key for hit in index.search(body, limit=3).hits] == [0, 1, 2]


def test_stored_source_comes_with_the_hit() -> None:
    index = filled([[1.0, 0.0]], storedSource={"include": ["n"]})
    body = {"index": "i", "path": "v", "queryVector": [1.0, 0.0], "limit": 1, "exact": True}
    assert index.search({**body, "returnStoredSource": True}).hits[0].meta == {
        "storedSource": {"_id": 0, "n": 0}
    }
    assert index.search(body).hits[0].meta == {}


def test_stored_source_that_is_not_configured_leaves_the_identifier() -> None:
    body = {
        "index": "i",
        "path": "v",
        "queryVector": [1.0, 0.0],
        "limit": 1,
        "exact": True,
        "returnStoredSource": True,
    }
    assert filled([[1.0, 0.0]]).search(body).hits[0].meta == {"storedSource": {"_id": 0}}


@pytest.mark.parametrize("quantization", ["none", "scalar", "binary"])
def test_a_saved_index_answers_the_same(tmp_path, quantization: str) -> None:
    rows = np.random.default_rng(5).normal(size=(300, 8)).tolist()
    shape = definition(
        "cosine", 8, quantization=quantization, numPartitions=2, storedSource={"exclude": ["v"]}
    )
    index = open_vector_index(shape)
    for key, row in enumerate(rows):
        index.put(key, {"_id": key, "v": row, "n": [key, str(key % 7)]})
    for key in range(0, 300, 5):
        index.remove(key)
    index.save(tmp_path / "index")
    again = open_vector_index(shape, folder=tmp_path / "index")
    for filters in ({}, {"n": {"$gt": 100}}, {"n": "3"}):
        for rest in ({}, {"numCandidates": 50}):
            asked = {"filter": filters, **rest}
            assert ask(again, rows[3], 20, **asked) == ask(index, rows[3], 20, **asked)
    again.put(3, {"_id": 3, "v": rows[3], "n": 1})
    assert ask(again, rows[3], 1) == [(3, pytest.approx(1.0, abs=1e-6))]


def test_a_folder_of_another_format_is_refused(tmp_path) -> None:
    index = filled([[1.0, 0.0]])
    index.save(tmp_path)
    written = (tmp_path / "values.bson").read_bytes()
    (tmp_path / "values.bson").write_bytes(written.replace(b"format\x00\x01", b"format\x00\x09"))
    with pytest.raises(ValueError, match="format 9"):
        open_vector_index(definition(), folder=tmp_path)


@pytest.mark.parametrize("name", ["arrays.npz", "values.bson"])
def test_a_damaged_file_is_refused(tmp_path, name: str) -> None:
    filled([[1.0, 0.0]] * 50).save(tmp_path)
    file = tmp_path / name
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(ValueError, match="no whole index"):
        open_vector_index(definition(), folder=tmp_path)


def test_files_of_two_saves_are_refused(tmp_path) -> None:
    index = filled([[1.0, 0.0]])
    index.save(tmp_path)
    values = (tmp_path / "values.bson").read_bytes()
    index.save(tmp_path)
    (tmp_path / "values.bson").write_bytes(values)
    with pytest.raises(ValueError, match="two different times"):
        open_vector_index(definition(), folder=tmp_path)


def test_simulated_loss_spares_filters_that_leave_no_more_than_the_candidates() -> None:
    rng = np.random.default_rng(7)
    fields = [*definition("cosine", 4)["fields"], {"type": "filter", "path": "n"}]
    whole = open_vector_index({"fields": fields})
    lossy = open_vector_index({"fields": fields}, simulate_loss=True)
    for key, row in enumerate(rng.normal(size=(3000, 4)).tolist()):
        for index in (whole, lossy):
            index.put(key, {"v": row, "n": key})
    few, many = {"filter": {"n": {"$lt": 20}}}, {"filter": {"n": {"$lt": 2999}}}
    lost = 0
    for query in rng.normal(size=(100, 4)).tolist():
        assert keys(lossy, query, numCandidates=20, **few) == keys(whole, query, numCandidates=20, **few)
        lost += keys(lossy, query, numCandidates=20, **many) != keys(whole, query, numCandidates=20, **many)
    assert lost
