"""The areas that `$geoWithin` takes: flat ones hold points, those on the globe hold shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.geo.shapes import Cap, Path, Polygon, Shape
from atlas_rag.inprocess.mql.geo.vectors import unit_vector
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.match.geo.geojson import stored_geometry
from atlas_rag.inprocess.mql.match.geo.points import (
    Position,
    check_on_globe,
    given_point,
    is_legacy,
    is_on_globe,
    stored_point,
)
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.values.numbers import is_nan, to_float
from atlas_rag.inprocess.mql.values.types import is_number


def stored_shapes(value: Any) -> list[Shape]:
    """Returns what a document's value is on the globe: the shapes of a geometry, or a legacy point."""
    if isinstance(value, Mapping) and not is_legacy(value):
        return stored_geometry(value)
    point = stored_point(value)
    return [Path((unit_vector(point),))] if point and is_on_globe(point) else []


def flat(holds: Callable[[Position], bool]) -> Test:
    """Returns the test of an area in the plane: legacy points and GeoJSON points lie in it, nothing else."""

    def test(value: Any) -> bool:
        point = _flat_point(value)
        return point is not None and holds(point)

    return test


def _flat_point(value: Any) -> Position | None:
    if not isinstance(value, Mapping) or is_legacy(value):
        return stored_point(value)
    if value.get("type") != "Point" or not stored_geometry(value):
        return None
    return stored_point(value["coordinates"])


def within_polygons(polygons: list[Polygon]) -> Test:
    """Returns the test that each part of a value lies in one of some polygons."""

    def test(value: Any) -> bool:
        shapes = stored_shapes(value)
        return bool(shapes) and all(any(area.contains(shape) for area in polygons) for shape in shapes)

    return test


def box(argument: Any) -> Test:
    """`$box`: all between two opposite corners, edges included."""
    first, second, *_ = [*_items(argument), None, None]
    (x0, y0), (x1, y1) = given_point(first), given_point(second)
    west, east, south, north = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    return flat(lambda point: west <= point[0] <= east and south <= point[1] <= north)


def polygon(argument: Any) -> Test:
    """`$polygon`: all within straight lines."""
    corners = [given_point(item) for item in _items(argument)]
    if len(corners) < 3:
        raise CommandError(BAD_VALUE, "Polygon must have at least 3 points")
    edges = list(pairwise([*corners, corners[0]]))
    return flat(lambda point: point in corners or _in_polygon(edges, point))


def _in_polygon(edges: list[tuple[Position, Position]], point: Position) -> bool:
    """True if a ray to the east leaves the polygon an odd number of times.

    Points on upright, level and eastern edges lie inside, on other slanted ones outside, as on a server.
    """
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in edges:
        if (x0 == x1 == x and min(y0, y1) <= y <= max(y0, y1)) or (
            y0 == y1 == y and min(x0, x1) <= x <= max(x0, x1)
        ):
            return True
        if (y0 < y) != (y1 < y) and x <= (y - y0) * (x1 - x0) / (y1 - y0) + x0:
            inside = not inside
    return inside


def center(argument: Any) -> Test:
    """`$center`: all within a distance of a point in the plane."""
    middle, radius = _circle(argument)
    return flat(lambda point: math.dist(middle, point) <= radius)


def center_sphere(argument: Any) -> Test:
    """`$centerSphere`: all within an angle, in radians, of a point on the globe."""
    middle, radius = _circle(argument, check_on_globe)
    cap = Cap(unit_vector(middle), radius)

    def test(value: Any) -> bool:
        shapes = stored_shapes(value)
        return bool(shapes) and all(map(cap.contains, shapes))

    return test


def _circle(
    argument: Any, checked: Callable[[Position], Position] = lambda point: point
) -> tuple[Position, float]:
    items = _items(argument)
    radius: Any = items[1] if len(items) > 1 else None
    middle = checked(given_point(items[0] if items else None))
    if not is_number(radius) or is_nan(radius) or to_float(radius) < 0:
        raise CommandError(BAD_VALUE, "radius must be a non-negative number")
    if len(items) > 2:
        raise CommandError(BAD_VALUE, "Only 2 fields allowed for circular region")
    return middle, to_float(radius)


def _items(argument: Any) -> list[Any]:
    return list(argument.values()) if isinstance(argument, Mapping) else list(argument)
