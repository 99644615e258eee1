"""Sums of doubles are rounded as a real server rounds them, to the last bit."""

from __future__ import annotations

import random
from typing import Any

import pytest

from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

pytestmark = pytest.mark.mongod


def numbers(seed: int) -> list[Any]:
    chance = random.Random(seed)
    kinds = [
        lambda: chance.uniform(0, 0.02),
        lambda: chance.gauss(0, 1e6),
        lambda: chance.randint(-(2**62), 2**62),
        lambda: chance.randint(-9, 2**40),
    ]
    return [chance.choice(kinds if seed % 2 else kinds[:1])() for _ in range(chance.randint(1, 7))]


def test_expressions_and_groups_sum_alike(mongod_client) -> None:
    documents = [{"_id": seed, "x": numbers(seed)} for seed in range(900)]
    listed = {"$map": {"input": "$x", "in": "$$this"}}
    pipelines = [
        [{"$project": {"sum": {"$sum": listed}, "avg": {"$avg": listed}}}],
        [{"$unwind": "$x"}, {"$group": {"_id": "$_id", "sum": {"$sum": "$x"}, "avg": {"$avg": "$x"}}}],
        [
            {"$match": {"x": {"$size": 3}}},
            {"$project": {"a": {"$add": [{"$arrayElemAt": ["$x", i]} for i in range(3)]}}},
        ],
    ]
    theirs = mongod_client["sums"]["numbers"]
    theirs.drop()
    theirs.insert_many(documents)
    context = Context(ListDatabase(numbers=ListCollection(documents)), release=(6, 0))
    for pipeline in pipelines:
        ordered = [*pipeline, {"$sort": {"_id": 1}}]
        expected = list(theirs.aggregate(ordered))
        assert len(expected) > 50
        assert list(run(ordered, context, "numbers")) == expected
