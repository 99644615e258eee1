"""Vector search against a brute-force scan in float64 and a predicate written out in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.search.vector_index import open_vector_index

DIMENSIONS = 40  # beyond the engine's own chain of sums
components = st.one_of(
    st.just(0.0), st.floats(0.001953125, 4, width=32), st.floats(-4, -0.001953125, width=32)
)
vectors = st.lists(components, min_size=3, max_size=3).map(
    lambda three: np.resize(three, DIMENSIONS).tolist()
)
scalars = st.one_of(
    st.none(), st.integers(-2, 3), st.sampled_from(["a", "b", ""]), st.booleans(), st.just(1.5)
)
fields = st.one_of(st.just(...), scalars, st.lists(scalars, max_size=3))
documents = st.lists(st.tuples(vectors, fields, fields), max_size=25)


def comparisons() -> st.SearchStrategy[dict[str, Any]]:
    comparable = scalars.filter(lambda value: value is not None)
    same_type = st.one_of(
        st.lists(st.integers(-2, 3), min_size=1, max_size=2),
        st.lists(st.sampled_from(["a", "b"]), min_size=1),
    )
    one = st.one_of(
        st.tuples(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), comparable),
        st.tuples(st.sampled_from(["$eq", "$ne"]), scalars),
        st.tuples(st.sampled_from(["$in", "$nin"]), same_type),
        st.tuples(st.just("$exists"), st.booleans()),
    )
    operators = st.lists(one, min_size=1, max_size=2).map(dict)
    return st.builds(
        lambda path, inner, negated: {path: {"$not": inner} if negated else inner},
        st.sampled_from(["a", "b"]),
        operators,
        st.booleans(),
    )


filters = st.recursive(
    comparisons(),
    lambda inner: st.builds(
        lambda name, several: {name: several},
        st.sampled_from(["$and", "$or", "$nor"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=5,
)


def kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, (int, float)) else type(value).__name__


def holds(values: list[Any], operator: str, operand: Any, present: bool) -> bool:
    if operator == "$not":
        return not all(holds(values, name, inner, present) for name, inner in operand.items())
    if operator == "$exists":
        return present is operand
    if operator in ("$ne", "$nin"):
        return not holds(values, {"$ne": "$eq", "$nin": "$in"}[operator], operand, present)
    if operator == "$in":
        return any(holds(values, "$eq", value, present) for value in operand)
    alike = [value for value in values if kind(value) == kind(operand)]
    if operator == "$eq":
        return operand in alike
    test = {"$gt": "__gt__", "$gte": "__ge__", "$lt": "__lt__", "$lte": "__le__"}[operator]
    order = float if kind(operand) != "str" else str
    return any(getattr(order(value), test)(order(operand)) for value in alike)


def satisfies(document: dict[str, Any], condition: dict[str, Any]) -> bool:
    verdicts = []
    for name, inner in condition.items():
        if name.startswith("$"):
            several = [satisfies(document, each) for each in inner]
            verdicts.append({"$and": all(several), "$or": any(several), "$nor": not any(several)}[name])
        else:
            value = document.get(name, [])
            values = value if isinstance(value, list) else [value]
            verdicts.append(all(holds(values, *each, name in document) for each in inner.items()))
    return all(verdicts)


def brute_force(
    rows: list[tuple[int, list[float]]], query: list[float], similarity: str
) -> list[tuple[float, int]]:
    scored = []
    for key, row in rows:
        left, right = np.array(row, np.float64), np.array(query, np.float64)
        if similarity == "euclidean":
            score = 1 / (1 + ((left - right) ** 2).sum())
        elif similarity == "dotProduct":
            score = max((1 + left @ right) / 2, 0)
        elif not left.any():
            continue
        else:
            score = (1 + left @ right / np.sqrt((left @ left) * (right @ right))) / 2
        scored.append((score, key))
    return sorted(scored, key=lambda pair: (-pair[0], pair[1]))


@given(
    documents, vectors, filters, st.sampled_from(["cosine", "dotProduct", "euclidean"]), st.integers(1, 30)
)
def test_the_scan_equals_brute_force(rows, query, condition, similarity, limit) -> None:
    if similarity == "cosine" and not any(query):
        query = [1.0] * DIMENSIONS
    field = {"type": "vector", "path": "v", "numDimensions": DIMENSIONS, "similarity": similarity}
    index = open_vector_index({"fields": [field, *({"type": "filter", "path": path} for path in "ab")]})
    kept = []
    for key, (vector, a, b) in enumerate(rows):
        document = {name: value for name, value in (("a", a), ("b", b)) if value is not ...}
        index.put(key, {**document, "v": vector})
        if satisfies(document, condition):
            kept.append((key, vector))
    body = {
        "index": "i",
        "path": "v",
        "queryVector": query,
        "limit": limit,
        "exact": True,
        "filter": condition,
    }
    hits = index.search(body).hits
    expected = brute_force(kept, query, similarity)
    true_score = {key: score for score, key in expected}
    assert len(hits) == min(limit, len(expected))
    for hit, (score, _) in zip(hits, expected, strict=False):
        assert hit.score == pytest.approx(true_score[hit.key], rel=3e-7, abs=3e-7)
        assert hit.score == pytest.approx(score, rel=3e-7, abs=3e-7)
    assert [(-hit.score, hit.key) for hit in hits] == sorted((-hit.score, hit.key) for hit in hits)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.booleans(), vectors), max_size=60),
    vectors.filter(any),
    st.sampled_from(["none", "scalar"]),
)
def test_any_history_of_writes_answers_like_a_fresh_index(history, query, quantization) -> None:
    field = {"type": "vector", "path": "v", "numDimensions": DIMENSIONS, "similarity": "euclidean"}
    shape = {"fields": [{**field, "quantization": quantization}, {"type": "filter", "path": "n"}]}
    index, living = open_vector_index(shape), {}
    body = {"index": "i", "path": "v", "queryVector": query, "limit": 20, "exact": True}
    for at, (key, written, vector) in enumerate(history):
        living.pop(key, None)
        if written:
            living[key] = {"v": vector, "n": key % 2}
            index.put(key, living[key])
        else:
            index.remove(key)
        if at % 7 == 0:
            index.search(body)
    fresh = open_vector_index(shape)
    for key, document in living.items():
        fresh.put(key, document)
    for filtered in (body, {**body, "filter": {"n": 1}}):
        assert index.search(filtered).hits == fresh.search(filtered).hits
