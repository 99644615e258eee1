"""Geo queries of the recorded engine, answered from positions and shapes alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from atlas_rag.inprocess.search.algorithms.geo import geojson, globe, shapes
from atlas_rag.inprocess.search.algorithms.geo.areas import Box
from tests.support import recordings

RECORDINGS = ("main", "main_partitions")


def cases(operator: str, name: str) -> list[dict[str, Any]]:
    found = [case for case in recordings.engine(name)["cases"] if operator in case["q"]]
    return [case for case in found if case["kind"] == "search"]


def documents(name: str) -> dict[int, tuple[geojson.Shape, ...]]:
    every = {
        document["_id"]: shapes.as_indexed(geojson.indexable_shapes(document.get("loc")))
        for document in recordings.engine(name)["docs"]
    }
    return {key: indexed for key, indexed in every.items() if indexed}


def points(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    indexed = documents(name)
    x, y = np.array([shape.position for (shape,) in indexed.values()]).T
    return np.array(list(indexed)), x.copy(), y.copy()


def hits(case: dict[str, Any]) -> set[int]:
    return {hit["_id"] for hit in case["out"]["results"]}


def test_near_scores_are_equal_to_the_bit() -> None:
    keys, x, y = points("main")
    asked = [(case["q"]["near"], case["out"]["results"]) for case in cases("near", "main")]
    plain = [each for each in asked if isinstance(each[0]["origin"], dict) and "score" not in each[0]]
    for near, results in plain:
        metres = globe.distances(x, y, *near["origin"]["coordinates"])
        scores = (near["pivot"] / (near["pivot"] + metres)).astype(np.float32)
        recorded = {hit["_id"]: hit["$searchScore"] for hit in results}
        assert dict(zip(keys.tolist(), scores.tolist(), strict=True)) == recorded
    assert plain


@pytest.mark.parametrize("name", RECORDINGS)
def test_within_a_circle_a_box_or_a_polygon(name: str) -> None:
    keys, x, y = points(name)
    for case in cases("geoWithin", name):
        match case["q"]["geoWithin"]:
            case {"circle": circle}:
                inside = globe.distances(x, y, *circle["center"]["coordinates"]) <= circle["radius"]
            case {"box": box}:
                corners = (tuple(box[corner]["coordinates"]) for corner in ("bottomLeft", "topRight"))
                inside = Box(*corners).holds(x, y)
            case {"geometry": geometry}:
                (polygon,) = geojson.query_shapes(geometry)
                inside = shapes.contains_points(polygon, x, y)
        assert set(keys[inside].tolist()) == hits(case)


@pytest.mark.parametrize("name", RECORDINGS)
def test_shape_relations(name: str) -> None:
    indexed = documents(name)
    compared = cases("geoShape", name)
    for case in compared:
        asked = case["q"]["geoShape"]
        query = geojson.query_shapes(asked["geometry"])
        found = {key for key, shape in indexed.items() if shapes.relates(shape, asked["relation"], query)}
        assert found == hits(case)
    assert compared
