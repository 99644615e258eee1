"""`$near` and `$nearSphere` in `find`, `distinct` and writes, against a real server."""

from __future__ import annotations

from typing import Any

import pytest

from tests.inprocess.conformance.commands.sides import Sides

pytestmark = pytest.mark.mongod


def point(x: float, y: float) -> dict[str, Any]:
    return {"type": "Point", "coordinates": [x, y]}


LINE = {"type": "LineString", "coordinates": [[-30, 4], [-10, 8]]}
AREA = {"type": "Polygon", "coordinates": [[[40, 40], [60, 40], [50, 60], [40, 40]]]}
PLACES = [
    {"_id": at, "p": place, "n": at % 2}
    for at, place in enumerate(
        [point(0, 0), point(10, 5), [3, 4], point(20, 10), point(179, -80), LINE, AREA]
    )
] + [{"_id": 9, "n": 0}]
NEAR = {"$geometry": point(1, 1)}
QUERIES: list[dict[str, Any]] = [
    {"p": {"$near": NEAR}},
    {"p": {"$nearSphere": NEAR}},
    {"p": {"$near": {"$geometry": point(50, 45)}}},
    {"p": {"$near": {**NEAR, "$maxDistance": 2e6}}},
    {"p": {"$near": {**NEAR, "$minDistance": 1e6, "$maxDistance": 5e6}}},
    {"p": {"$nearSphere": [1, 1]}},
    {"p": {"$nearSphere": [1, 1], "$maxDistance": 0.2}},
    {"p": {"$nearSphere": [1, 1], "$minDistance": 0.1}},
    {"p": {"$nearSphere": [1, 1, 0.2]}},
    {"p": {"$nearSphere": {"lng": 1, "lat": 1}}},
    {"n": 0, "p": {"$near": NEAR}},
    {"p": {"$near": NEAR}, "$or": [{"n": 1}, {"_id": 2}]},
    {"$and": [{"p": {"$near": NEAR}}, {"n": 1}]},
    {"$and": [{"$and": [{"p": {"$near": NEAR}}]}]},
]
REFUSED: list[dict[str, Any]] = [
    {"p": {"$near": [1, 1]}},
    {"q": {"$near": NEAR}},
    {"$or": [{"p": {"$near": NEAR}}, {"n": 1}]},
    {"$nor": [{"p": {"$near": NEAR}}]},
    {"p": {"$not": {"$near": NEAR}}},
    {"p": {"$elemMatch": {"$near": NEAR}}},
    {"p": {"$near": NEAR}, "$and": [{"p": {"$near": NEAR}}]},
    {"p": {"$near": 5}},
    {"p": {"$near": {}}},
    {"p": {"$near": {"$geometry": 5}}},
    {"p": {"$near": {"$geometry": point(200, 1)}}},
    {"p": {"$near": {**NEAR, "$maxDistance": -1}}},
    {"p": {"$near": {**NEAR, "$minDistance": "x"}}},
    {"p": {"$near": {**NEAR, "$unknown": 1}}},
    {"p": {"$near": NEAR, "$maxDistance": 1}},
    {"p": {"$near": NEAR, "$exists": True}},
    {"p": {"$nearSphere": [200, 1]}},
]


def indexed(collection: Any) -> Any:
    collection.create_index([("p", "2dsphere")])
    return collection


def found(collection: Any, query: dict[str, Any], **options: Any) -> list[Any]:
    return [row["_id"] for row in indexed(collection).find(query, **options)]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_documents_come_nearest_first(sides: Sides, query: dict[str, Any]) -> None:
    ours, theirs = sides.outcomes(PLACES, lambda collection: found(collection, query))
    assert ours == theirs


@pytest.mark.parametrize("query", REFUSED, ids=str)
def test_malformed_and_misplaced_nearness_is_refused_by_the_servers_code(
    sides: Sides, query: dict[str, Any]
) -> None:
    ours, theirs = sides.outcomes(PLACES, lambda collection: found(collection, query))
    assert theirs[0][0] == "OperationFailure"
    assert ours[0][:2] == theirs[0][:2]


@pytest.mark.parametrize("options", [{"sort": [("_id", -1)]}, {"skip": 1, "limit": 2}], ids=str)
def test_a_sort_overrides_nearness_and_a_limit_cuts_it(sides: Sides, options: dict[str, Any]) -> None:
    ours, theirs = sides.outcomes(
        PLACES, lambda collection: found(collection, {"p": {"$near": NEAR}}, **options)
    )
    assert ours == theirs


def test_writes_take_the_nearest(sides: Sides) -> None:
    def call(collection: Any) -> Any:
        indexed(collection).update_one({"p": {"$near": {"$geometry": point(19, 9)}}}, {"$set": {"w": 1}})
        collection.delete_one({"p": {"$nearSphere": [170, -80]}})
        return sorted(collection.distinct("_id", {"p": {"$near": NEAR}})), collection.find_one({"w": 1})[
            "_id"
        ]

    ours, theirs = sides.outcomes(PLACES, call)
    assert ours == theirs
