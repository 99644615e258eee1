"""Operators that releases after 6.0 brought: values from the documentation or worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from bson import Binary, Int64, ObjectId
from bson.binary import BinaryVectorDtype

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

NEWEST = (9, 0)
TESTS = {"test01": [62, 60, 67, 64, 60], "test02": [81, 83, 82, 72, 53], "test03": [80, 79, 88, 63, 58]}
STUDENTS = [
    {"_id": at, **{name: scores[at] for name, scores in TESTS.items()}} for at in range(len(TESTS["test01"]))
]


def answered(
    stage: dict[str, Any], rows: list[dict[str, Any]] | None = None, release: tuple[int, int] = NEWEST
) -> list[Any]:
    context = Context(ListDatabase(c=ListCollection(rows or [{"_id": 1}])), release=release)
    return list(run([stage], context, "c"))


def evaluated(expression: Any, release: tuple[int, int] = NEWEST) -> Any:
    (row,) = answered({"$project": {"v": expression}}, release=release)
    return row.get("v")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ({"$bitAnd": [12, 10, 9]}, 8),
        ({"$bitOr": [12, Int64(3)]}, Int64(15)),
        ({"$bitXor": [12, 10]}, 6),
        ({"$bitNot": 5}, -6),
        ({"$bitAnd": []}, -1),
        ({"$bitOr": [1, None]}, None),
        (
            {"$percentile": {"input": [81, "x", 83, 82, 72, 53], "p": [0.5, 0.95], "method": "approximate"}},
            [81.0, 83.0],
        ),
        ({"$percentile": {"input": "x", "p": [0.5], "method": "approximate"}}, [None]),
        ({"$median": {"input": [4, 1, 3, 2], "method": "approximate"}}, 2.0),
        ({"$median": {"input": 7, "method": "approximate"}}, 7.0),
        ({"$similarityDotProduct": [[1, 2, 3], [3, 2, 1]]}, 10.0),
        ({"$similarityDotProduct": {"vectors": [[1, 0], [1, 0]], "score": True}}, 1.0),
        ({"$similarityCosine": [[1, 2], [2, 4]]}, 1.0),
        ({"$similarityCosine": {"vectors": [[1, 0], [0, 1]], "score": True}}, 0.5),
        ({"$similarityCosine": [[0, 0], [0, 1]]}, 0.0),
        ({"$similarityEuclidean": [[1, 2, 3], [1, 2, 3]]}, 0.0),
        ({"$similarityEuclidean": {"vectors": [[0, 0], [3, 4]], "score": True}}, 1 / 6),
        ({"$similarityEuclidean": [[1], "$missing"]}, None),
        (
            {"$similarityDotProduct": [Binary.from_vector([1.0, 2.0], BinaryVectorDtype.FLOAT32), [3, 4]]},
            11.0,
        ),
        ({"$subtype": Binary(b"ab", 5)}, 5),
        (
            {"$toUUID": "0e3b9063-8abd-4eb3-9f9f-f4c59fd30a60"},
            Binary(bytes.fromhex("0e3b90638abd4eb39f9ff4c59fd30a60"), 4),
        ),
    ],
    ids=str,
)
def test_values(expression: Any, expected: Any) -> None:
    found = evaluated(expression)
    assert found == expected
    assert type(found) is type(expected)


def test_percentiles_of_a_group_are_those_of_the_documentation() -> None:
    def asked(field: str, *shares: float) -> Any:
        return {"$percentile": {"input": field, "p": list(shares), "method": "approximate"}}

    stage = {
        "$group": {"_id": None, "a": asked("$test01", 0.95), "b": asked("$test02", 0.5, 0.75, 0.9, 0.95)}
    }
    assert answered(stage, STUDENTS) == [{"_id": None, "a": [67.0], "b": [81.0, 82.0, 83.0, 83.0]}]


def test_the_median_goes_along_with_a_window() -> None:
    median = {"$median": {"input": "$test01", "method": "approximate"}, "window": {"documents": [-1, 1]}}
    stage = {"$setWindowFields": {"sortBy": {"_id": 1}, "output": {"m": median}}}
    assert [row["m"] for row in answered(stage, STUDENTS)] == [60.0, 62.0, 64.0, 64.0, 60.0]


def test_arrays_of_a_group_are_joined_or_united() -> None:
    rows = [{"_id": 1, "l": [1, 2]}, {"_id": 2}, {"_id": 3, "l": [2, 2.0, 3]}]
    stage = {"$group": {"_id": None, "all": {"$concatArrays": "$l"}, "some": {"$setUnion": "$l"}}}
    assert answered(stage, rows) == [{"_id": None, "all": [1, 2, 2, 2.0, 3], "some": [1, 2, 3]}]


def test_every_row_has_an_identifier_of_its_own() -> None:
    rows = answered({"$set": {"v": {"$createObjectId": {}}}}, [{"_id": 1}, {"_id": 2}])
    assert len({row["v"] for row in rows}) == 2
    assert all(isinstance(row["v"], ObjectId) for row in rows)


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ({"$bitAnd": [1, 2.0]}, 14),
        ({"$percentile": {"input": [1], "p": [2], "method": "approximate"}}, 7750303),
        ({"$percentile": {"input": [1], "p": "$l", "method": "approximate"}}, 7750301),
        ({"$median": {"input": [1], "method": "exact"}}, 2),
        ({"$similarityCosine": [[1], [1, 2]]}, 2),
        ({"$similarityCosine": ["x", [1, 2]]}, 14),
        ({"$toUUID": "no"}, 241),
        ({"$function": {"body": "", "args": [], "lang": "js"}}, 115),
        ({"$encStrContains": {}}, 115),
    ],
    ids=str,
)
def test_refusals(expression: Any, code: int) -> None:
    with pytest.raises(CommandError) as caught:
        evaluated(expression)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("operator", "release"),
    [
        ("$bitAnd", (6, 0)),
        ("$median", (6, 0)),
        ("$toUUID", (7, 0)),
        ("$similarityCosine", (8, 2)),
        ("$subtype", (8, 2)),
    ],
)
def test_an_older_release_does_not_know_them(operator: str, release: tuple[int, int]) -> None:
    with pytest.raises(CommandError) as caught:
        evaluated({operator: 1}, release)
    assert caught.value.code == 31325


def test_an_older_release_does_not_group_by_them() -> None:
    for accumulator, release in (("$percentile", (6, 0)), ("$concatArrays", (8, 0))):
        with pytest.raises(CommandError) as caught:
            answered({"$group": {"_id": None, "v": {accumulator: "$l"}}}, release=release)
        assert caught.value.code == 15952
