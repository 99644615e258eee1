"""`$geoNear`: distances that a 6.0.5 server gave for a `2dsphere` index."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

PLACES: list[dict[str, Any]] = [
    *({"_id": at, "p": {"type": "Point", "coordinates": [at * 10.0, at * 5.0]}} for at in range(5)),
    {"_id": 7, "p": [3.0, 4.0]},
    {"_id": 8, "p": {"type": "Point", "coordinates": [179.0, -80.0]}},
    {"_id": 9},
]
NEAR = {"type": "Point", "coordinates": [1.0, 1.0]}
METRES = [
    *((0, 157424.6238723255), (7, 401234.12223029404), (1, 1094919.0832953963), (2, 2329453.0149985976)),
    *((3, 3548240.75239551), (4, 4741814.468291648), (8, 11242516.144378044)),
]
RADIANS = [(0, 0.024682056391766433), (7, 0.06290809523687212), (1, 0.1716685350332225)]


class Indexed(ListCollection):
    """A collection that knows its geographic index."""

    def geo_fields(self) -> list[str]:
        return ["p"]


def near(
    collection: ListCollection | None = None, release: tuple[int, int] = (8, 2), **options: Any
) -> list[Any]:
    stage = {"$geoNear": {"near": NEAR, "distanceField": "d", **options}}
    context = Context(ListDatabase(places=collection or Indexed(PLACES)), release=release)
    return list(run([stage], context, "places"))


def test_distances_are_the_servers() -> None:
    found = near()
    assert [row["_id"] for row in found] == [key for key, _ in METRES]
    assert [row["d"] for row in found] == pytest.approx([metres for _, metres in METRES], rel=1e-15)


def test_a_legacy_point_gives_radians() -> None:
    found = near(near=[1, 1], spherical=True)[:3]
    assert [row["_id"] for row in found] == [key for key, _ in RADIANS]
    assert [row["d"] for row in found] == pytest.approx([angle for _, angle in RADIANS], rel=1e-15)


def test_a_third_number_of_a_legacy_point_bounds_the_distance() -> None:
    assert [row["_id"] for row in near(near=[1, 1, 0.1], spherical=True)] == [0, 7]
    assert [row["_id"] for row in near(near=[1, 1, 0.1], spherical=True, maxDistance=0.05)] == [0]


def test_bounds_filter_and_multiplier() -> None:
    assert [row["_id"] for row in near(maxDistance=1e6)] == [0, 7]
    assert [row["_id"] for row in near(minDistance=1e6)] == [1, 2, 3, 4, 8]
    assert [row["_id"] for row in near(query={"_id": {"$lt": 3}})] == [0, 1, 2]
    assert near(distanceMultiplier=0.001)[0]["d"] == pytest.approx(157.4246238723255, rel=1e-15)
    assert near(includeLocs="at")[1]["at"] == [3.0, 4.0]


def test_without_an_index_the_field_must_be_named() -> None:
    plain = ListCollection(PLACES)
    assert len(near(plain, key="p")) == 7
    with pytest.raises(CommandError) as caught:
        near(plain)
    assert caught.value.code == 27


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"maxDistance": -1}, 2),
        ({"maxDistance": "a"}, 14),
        ({"query": 1}, 14),
        ({"limit": 1}, 50858),
        ({"num": 1}, 50857),
        ({"key": 1}, 14),
        ({"includeLocs": 1}, 16607),
        ({"distanceField": 1}, 16606),
        ({"distanceMultiplier": -1}, 2),
        ({"near": [1, 1]}, 291),
        ({"near": {"type": "Point", "coordinates": [200, 0]}}, 2),
        ({"near": 5}, 5860401),
        ({"near": 5, "maxDistance": "a"}, 14),
        ({"near": "$p"}, 5860402),
        ({"near": [1, 1, -1], "spherical": True}, 18522),
        ({"near": 5, "distanceField": 1, "start": 1}, 50856),
        ({"maxDistance": float("nan")}, 2),
        ({"key": ""}, 2),
        ({"key": "$p"}, 16410),
        ({"key": None}, 14),
    ],
)
def test_what_the_server_refuses(options: dict[str, Any], code: int) -> None:
    with pytest.raises(CommandError) as caught:
        near(**options)
    assert caught.value.code == code


def test_the_distance_field_may_be_left_out_from_8_1_on() -> None:
    stage = {"$geoNear": {"near": NEAR}}
    distance = {"$project": {"d": {"$meta": "geoNearDistance"}}}
    database = ListDatabase(places=Indexed(PLACES))
    first = next(run([stage, distance], Context(database), "places"))
    assert first["d"] == pytest.approx(METRES[0][1], rel=1e-15)
    with pytest.raises(CommandError) as caught:
        list(run([stage], Context(database, release=(8, 0)), "places"))
    assert caught.value.code == 16606
