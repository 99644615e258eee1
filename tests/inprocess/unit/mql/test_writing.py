"""`$out` and `$merge`: outcomes and refusals as a 6.0.5 server gave them."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

SOURCE = [{"_id": 1, "k": "x"}, {"_id": 2, "k": "y"}]
TARGET = [{"_id": 1, "a": 5}, {"_id": 9}]


def after(stage: dict[str, Any], *before: dict[str, Any]) -> list[Any]:
    """Returns the target's documents after a pipeline over the source."""
    database = ListDatabase(source=ListCollection(SOURCE), target=ListCollection(TARGET))
    assert list(run([*before, stage], Context(database), "source")) == []
    return database.collections["target"].rows


def refusal(stage: dict[str, Any], *before: dict[str, Any]) -> int:
    with pytest.raises(CommandError) as caught:
        after(stage, *before)
    return caught.value.code


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [{"_id": 1, "a": 5, "k": "x"}, {"_id": 9}, {"_id": 2, "k": "y"}]),
        ({"whenMatched": "replace"}, [{"_id": 1, "k": "x"}, {"_id": 9}, {"_id": 2, "k": "y"}]),
        ({"whenMatched": "keepExisting"}, [{"_id": 1, "a": 5}, {"_id": 9}, {"_id": 2, "k": "y"}]),
        ({"whenNotMatched": "discard"}, [{"_id": 1, "a": 5, "k": "x"}, {"_id": 9}]),
        (
            {"whenMatched": [{"$set": {"z": "$$new.k"}}]},
            [{"_id": 1, "a": 5, "z": "x"}, {"_id": 9}, {"_id": 2, "k": "y"}],
        ),
        (
            {"whenMatched": [{"$set": {"z": "$$v"}}], "let": {"v": "$k"}},
            [{"_id": 1, "a": 5, "z": "x"}, {"_id": 9}, {"_id": 2, "k": "y"}],
        ),
        ({"whenMatched": []}, [{"_id": 1, "a": 5}, {"_id": 9}, {"_id": 2, "k": "y"}]),
    ],
)
def test_merge_writes_over_what_it_finds(options: dict[str, Any], expected: list[Any]) -> None:
    assert after({"$merge": {"into": "target", **options}}) == expected


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"whenMatched": "fail"}, 11000),
        ({"whenNotMatched": "fail"}, 13113),
        ({"on": "k"}, 51183),
        ({"whenMatched": [{"$group": {"_id": 1}}]}, 72),
        ({"whenMatched": [{"$set": {"_id": 5}}]}, 66),
    ],
)
def test_merge_refuses(options: dict[str, Any], code: int) -> None:
    assert refusal({"$merge": {"into": "target", **options}}) == code


def test_merge_takes_no_null_and_no_array_to_find_by() -> None:
    assert refusal({"$merge": "target"}, {"$set": {"_id": None}}) == 51132
    assert refusal({"$merge": "target"}, {"$set": {"_id": [1]}}) == 51185


def test_a_document_without_an_id_gets_one() -> None:
    rows = after({"$merge": "target"}, {"$unset": "_id"})
    assert [row.get("k") for row in rows] == [None, None, "x", "y"]
    assert len({str(row["_id"]) for row in rows}) == 4


def test_out_takes_the_place_of_the_collection() -> None:
    assert after({"$out": "target"}) == SOURCE


def test_out_into_another_database_leaves_this_one_alone() -> None:
    assert after({"$out": {"db": "other", "coll": "target"}}) == TARGET
