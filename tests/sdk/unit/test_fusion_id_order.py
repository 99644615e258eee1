"""Ties fall by `_id` as BSON orders them."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest
from bson import Binary, ObjectId

from atlas_rag.errors import CallError
from atlas_rag.fusion import RankedList, fuse_ranks, id_order


def test_types_keep_the_order_of_bson():
    ordered = [
        None,
        float("nan"),
        -3,
        2.5,
        "B",
        "a",
        "é",
        {"a": 1},
        {"b": 0},
        b"z",
        b"aa",
        UUID(int=7),
        ObjectId("0" * 24),
        ObjectId("f" * 24),
        False,
        True,
        datetime(2020, 1, 1, tzinfo=UTC),
    ]
    shuffled = ordered[::2] + ordered[1::2]
    assert sorted(shuffled, key=id_order) == ordered


def test_numbers_of_one_value_are_one_document_and_true_is_not_one():
    fused = fuse_ranks([RankedList("a", [1, True]), RankedList("b", [1.0])])
    assert [item.id for item in fused] == [1, True]
    assert [entry.rank for entry in fused[0].contributions] == [1, 1]


def test_strings_compare_by_their_bytes():
    assert id_order("\U0001f600") > id_order("￿")


def test_binary_subtypes_differ():
    assert id_order(Binary(b"12", 0)) < id_order(Binary(b"12", 5))


def test_an_unknown_type_asks_for_a_key_function():
    with pytest.raises(CallError, match="id_key"):
        id_order(object())


def test_a_key_function_of_ones_own_decides_ties():
    fused = fuse_ranks([RankedList("a", ["x", "y"], [1.0, 1.0])], id_key=lambda identity: -ord(identity))
    assert [item.id for item in fused] == ["y", "x"]
