"""Angles, arcs and shapes on the sphere: values that geometry gives without a calculator."""

from __future__ import annotations

import math

import pytest

from atlas_rag.inprocess.mql.geo.shapes import (
    Cap,
    Path,
    Polygon,
    crosses_itself,
    distance,
    meet,
)
from atlas_rag.inprocess.mql.geo.vectors import (
    angle,
    arcs_cross,
    distance_to_arc,
    touches,
    unit_vector,
)

NORTH, GULF = unit_vector((0, 90)), unit_vector((0, 0))
EAST, WEST = unit_vector((90, 0)), unit_vector((-90, 0))


def polygon(*rings: list[tuple[float, float]]) -> Polygon:
    return Polygon(tuple(tuple(unit_vector(corner) for corner in [*ring, ring[0]]) for ring in rings))


def line(*positions: tuple[float, float]) -> Path:
    return Path(tuple(unit_vector(position) for position in positions))


OCTANT = polygon([(0, 0), (90, 0), (0, 90)])
DATE_LINE = polygon(
    [(170, -10), (-170, -10), (-170, 10), (170, 10)], [(175, -5), (-175, -5), (-175, 5), (175, 5)]
)


def test_angles_are_exact_even_when_tiny() -> None:
    assert angle(GULF, NORTH) == pytest.approx(math.pi / 2, rel=1e-15)
    assert angle(GULF, unit_vector((1e-9, 0))) == pytest.approx(math.radians(1e-9), rel=1e-9)


def test_the_distance_to_an_arc_is_that_to_its_nearest_point() -> None:
    assert distance_to_arc(unit_vector((45, 30)), GULF, EAST) == pytest.approx(math.radians(30))
    assert distance_to_arc(unit_vector((-20, 0)), GULF, EAST) == pytest.approx(math.radians(20))
    assert distance_to_arc(WEST, GULF, GULF) == pytest.approx(math.pi / 2)


def test_an_arc_leaves_its_parallel_to_the_pole() -> None:
    middle = unit_vector(
        (45, math.degrees(math.atan(math.tan(math.radians(50)) / math.cos(math.radians(45)))))
    )
    assert touches(middle, unit_vector((0, 50)), unit_vector((90, 50)))
    assert not touches(unit_vector((45, 50)), unit_vector((0, 50)), unit_vector((90, 50)))


def test_arcs_cross_inside_both_or_not_at_all() -> None:
    south, north = unit_vector((45, -10)), unit_vector((45, 10))
    assert arcs_cross(GULF, EAST, south, north)
    assert not arcs_cross(GULF, EAST, GULF, north)
    assert not arcs_cross(GULF, EAST, unit_vector((-135, -10)), unit_vector((-135, 10)))


def test_a_polygon_holds_its_edges_and_not_the_inside_of_its_holes() -> None:
    assert OCTANT.holds(unit_vector((45, 30)))
    assert OCTANT.holds(NORTH)
    assert OCTANT.holds(unit_vector((45, 0)))
    assert not OCTANT.holds(unit_vector((-45, 30)))
    assert not OCTANT.holds(unit_vector((45, -1)))
    assert DATE_LINE.holds(unit_vector((172, 0)))
    assert DATE_LINE.holds(unit_vector((-172, 0)))
    assert not DATE_LINE.holds(unit_vector((180, 0)))
    assert not DATE_LINE.holds(GULF)


def test_what_lies_in_a_polygon_crosses_none_of_its_edges() -> None:
    assert OCTANT.contains(line((10, 10), (80, 10)))
    assert not OCTANT.contains(line((10, 10), (100, 10)))
    assert OCTANT.contains(polygon([(10, 10), (40, 10), (20, 40)]))
    assert not DATE_LINE.contains(polygon([(172, -8), (-172, -8), (-172, 8), (172, 8)]))


def test_a_cap_contains_what_is_nowhere_farther_than_its_radius() -> None:
    assert Cap(NORTH, math.radians(30)).contains(line((0, 70), (120, 65)))
    assert not Cap(NORTH, math.radians(30)).contains(line((0, 70), (120, 55)))
    assert not Cap(NORTH, math.radians(100)).contains(line((0, -5), (180, -5)))
    assert Cap(NORTH, 4.0).contains(OCTANT)


def test_shapes_meet_where_they_share_a_point() -> None:
    assert meet(line((-10, 10), (10, 10)), OCTANT)
    assert meet(line((20, 20)), OCTANT)
    assert meet(OCTANT, polygon([(10, 10), (20, 10), (10, 20)]))
    assert not meet(line((-10, 10), (-10, 80)), OCTANT)


def test_distances_to_shapes_are_those_to_their_nearest_points() -> None:
    assert distance(unit_vector((45, 30)), OCTANT) == 0
    assert distance(unit_vector((45, -30)), OCTANT) == pytest.approx(math.radians(30))
    assert distance(NORTH, line((0, 0))) == pytest.approx(math.pi / 2)


def test_a_bow_tie_crosses_itself() -> None:
    square = [unit_vector(corner) for corner in ((0, 0), (10, 0), (10, 10), (0, 10), (0, 0))]
    assert not crosses_itself(square)
    assert crosses_itself([square[0], square[2], square[1], square[3], square[0]])
