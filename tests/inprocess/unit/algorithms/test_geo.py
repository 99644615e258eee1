"""Shapes and positions; the relations were compared with Lucene's over 72,000 random pairs of shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.geo import globe
from atlas_rag.inprocess.search.algorithms.geo.areas import Box
from atlas_rag.inprocess.search.algorithms.geo.geojson import (
    Line,
    Point,
    Polygon,
    Shape,
    indexable_shapes,
    query_shapes,
)
from atlas_rag.inprocess.search.algorithms.geo.shapes import as_indexed, relates


def square(low: float, high: float) -> tuple[tuple[float, float], ...]:
    return ((low, low), (high, low), (high, high), (low, high), (low, low))


FIELD = Polygon(square(0, 10))
RING = Polygon(square(0, 10), (square(4, 6),))


@pytest.mark.parametrize(
    ("relation", "document", "query", "expected"),
    [
        ("intersects", Point((0, 5)), FIELD, True),  # on the outline
        ("intersects", Point((4, 5)), RING, False),  # on the edge of the hole
        ("intersects", Point((5, 5)), RING, False),
        ("intersects", RING, Point((4, 5)), True),  # seen from the ring, its edge is its own
        ("intersects", Line(((-1, 5), (0, 5))), FIELD, True),
        ("intersects", Line(((5, 5), (5.5, 5))), RING, False),
        ("intersects", Polygon(square(2, 3)), FIELD, True),
        ("intersects", FIELD, Polygon(square(2, 3)), True),
        ("intersects", Point((5, 5)), Line(((0, 0), (10, 10))), True),
        ("disjoint", Polygon(square(11, 12)), FIELD, True),
        ("disjoint", Polygon(square(10, 12)), FIELD, False),
        ("within", Line(((0, 0), (10, 10))), FIELD, True),
        ("within", Line(((0, 0), (10, 10))), RING, False),
        ("within", Polygon(square(4.5, 5.5)), RING, False),
        ("within", Polygon(square(0, 10)), FIELD, True),
        ("within", Polygon(square(1, 11)), FIELD, False),
        ("within", RING, FIELD, True),
        ("contains", FIELD, Polygon(square(2, 3)), True),
        ("contains", FIELD, Polygon(square(0, 3)), False),  # touches the edge
        ("contains", FIELD, Line(((1, 1), (9, 9))), True),
        ("contains", RING, Line(((1, 1), (9, 9))), False),
        ("contains", FIELD, Point((0, 5)), True),
        ("contains", Line(((0, 0), (2, 2))), Point((1, 1)), True),
        ("contains", Line(((0, 0), (2, 2))), Line(((0, 0), (2, 2))), False),
        ("contains", Point((1, 1)), Point((1, 2)), False),
    ],
)
def test_relations(relation: Any, document: Shape, query: Shape, expected: bool) -> None:
    assert relates([document], relation, [query]) is expected


def test_an_edge_of_any_shape_of_the_document_denies_contains() -> None:
    query = [Polygon(square(2, 4))]
    assert relates([FIELD], "contains", query)
    assert not relates([FIELD, Point((3, 3))], "contains", query)
    assert not relates([FIELD], "contains", [*query, Point((11, 11))])


def test_no_shape_stands_in_no_relation() -> None:
    assert not relates([], "disjoint", [FIELD])


coordinates = st.tuples(st.floats(-179, 179), st.floats(-89, 89))


@given(coordinates, st.tuples(st.floats(-89, 0), st.floats(0.5, 89)))
def test_a_point_is_either_disjoint_from_or_within_a_square(
    position: tuple[float, float], edges: tuple[float, float]
) -> None:
    document = as_indexed([Point(position)])
    area = [Polygon(square(*edges))]
    assert relates(document, "within", area) is relates(document, "intersects", area)
    assert relates(document, "disjoint", area) is not relates(document, "intersects", area)


@given(coordinates)
def test_the_grid_is_finer_than_two_centimetres(position: tuple[float, float]) -> None:
    (moved,) = as_indexed([Point(position)])
    assert isinstance(moved, Point)
    x, y = (np.array([value]) for value in moved.position)
    assert globe.distances(x, y, *position)[0] < 0.02
    assert as_indexed([moved]) == (moved,)


def test_a_box_includes_the_edges_that_lie_on_the_grid() -> None:
    x, y = np.array([-11.25, 11.25, 0.0, 11.3]), np.array([-5.625, 5.625, 0.0, 0.0])
    assert Box((-11.25, -5.625), (11.25, 5.625)).holds(x, y).tolist() == [True, True, True, False]


def test_a_point_on_a_western_edge_between_grid_lines_is_indexed_outside_of_it() -> None:
    x, y = np.array([globe.indexed_longitude(-10), globe.indexed_longitude(10)]), np.zeros(2)
    assert Box((-10, -1), (10, 1)).holds(x, y).tolist() == [False, True]


@pytest.mark.parametrize(
    "value",
    [
        [10, 20],
        {"type": "Circle", "coordinates": [1, 2]},
        {"type": "Point", "coordinates": [200, 0]},
        {"type": "Point", "coordinates": [0, 91]},
        {"type": "Point", "coordinates": [float("nan"), 0]},
        {"type": "Point", "coordinates": ["1", 0]},
        {"type": "Point", "coordinates": [True, 0]},
        {"type": "Point", "coordinates": [1]},
        {"type": "LineString", "coordinates": [[1, 2]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1]]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 1]]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [2, 2], [2, 0], [0, 2], [0, 0]]]},
        {"type": "GeometryCollection", "geometries": [{"type": "Point"}]},
        None,
    ],
)
def test_what_is_no_sound_geometry_is_left_out(value: Any) -> None:
    assert indexable_shapes(value) == ()


def test_collections_are_taken_apart() -> None:
    value = {
        "type": "GeometryCollection",
        "geometries": [
            {"type": "MultiPoint", "coordinates": [[1, 2], [3, 4, 5]]},
            {"type": "MultiLineString", "coordinates": [[[1, 2], [3, 4]]]},
            {"type": "MultiPolygon", "coordinates": [[square(0, 10), square(4, 6)]]},
        ],
    }
    assert indexable_shapes(value) == (Point((1, 2)), Point((3, 4)), Line(((1, 2), (3, 4))), RING)


def test_a_query_beyond_the_globe_is_refused() -> None:
    with pytest.raises(EngineRefusal) as refused:
        query_shapes({"type": "Point", "coordinates": [200, 0]})
    assert refused.value.text == "invalid longitude 200.0; must be between -180.0 and 180.0"
