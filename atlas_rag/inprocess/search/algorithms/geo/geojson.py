"""GeoJSON values as shapes: what the index takes, and what a query asks with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.geo.segments import crosses_itself

MAX_LONGITUDE = 180.0
MAX_LATITUDE = 90.0
Position: TypeAlias = tuple[float, float]
"""Longitude and latitude in degrees."""


@dataclass(frozen=True, slots=True)
class Point:
    """One position."""

    position: Position


@dataclass(frozen=True, slots=True)
class Line:
    """Two positions or more, joined."""

    positions: tuple[Position, ...]


@dataclass(frozen=True, slots=True)
class Polygon:
    """Closed rings (the last position repeats the first): the outline, then its holes."""

    outline: tuple[Position, ...]
    holes: tuple[tuple[Position, ...], ...] = ()

    @property
    def rings(self) -> tuple[tuple[Position, ...], ...]:
        """The outline and the holes."""
        return (self.outline, *self.holes)


Shape: TypeAlias = Point | Line | Polygon


class _Unusable(Exception):  # noqa: N818 - not an error to anyone outside
    """The value is no geometry that can be indexed."""


def indexable_shapes(value: Any) -> tuple[Shape, ...]:
    """The shapes of a document's value; none where it is not a geometry, or not a sound one.

    Positions beyond the globe, open or too short rings and rings that cross themselves make a value unusable.
    """
    try:
        shapes = _shapes(value)
    except _Unusable:
        return ()
    sound = all(_on_globe(position) for shape in shapes for position in positions(shape))
    simple = not any(
        crosses_itself(ring) for shape in shapes if isinstance(shape, Polygon) for ring in shape.rings
    )
    return shapes if sound and simple else ()


def query_shapes(geometry: Mapping[str, Any]) -> tuple[Shape, ...]:
    """The shapes of a well-formed geometry of a query.

    Raises:
        EngineRefusal: a position lies beyond the globe.
    """
    shapes = _shapes(geometry)
    for shape in shapes:
        for position in positions(shape):
            check_position(position)
    return shapes


def check_position(position: Position) -> None:
    """Refuses a position beyond the globe, in Lucene's words."""
    for name, value, limit in zip(
        ("longitude", "latitude"), position, (MAX_LONGITUDE, MAX_LATITUDE), strict=True
    ):
        if not -limit <= value <= limit:
            raise EngineRefusal(f"invalid {name} {value}; must be between {-limit} and {limit}")


def positions(shape: Shape) -> Sequence[Position]:
    """Every position of a shape."""
    match shape:
        case Point(position):
            return (position,)
        case Line(line):
            return line
        case Polygon():
            return [position for ring in shape.rings for position in ring]


def _on_globe(position: Position) -> bool:
    return abs(position[0]) <= MAX_LONGITUDE and abs(position[1]) <= MAX_LATITUDE


def _shapes(value: Any) -> tuple[Shape, ...]:
    if not isinstance(value, Mapping):
        raise _Unusable
    if value.get("type") == "GeometryCollection":
        return tuple(shape for member in _items(value.get("geometries")) for shape in _shapes(member))
    coordinates = value.get("coordinates")
    match value.get("type"):
        case "Point":
            return (Point(_position(coordinates)),)
        case "MultiPoint":
            return tuple(Point(_position(each)) for each in _items(coordinates))
        case "LineString":
            return (_line(coordinates),)
        case "MultiLineString":
            return tuple(_line(each) for each in _items(coordinates))
        case "Polygon":
            return (_polygon(coordinates),)
        case "MultiPolygon":
            return tuple(_polygon(each) for each in _items(coordinates))
    raise _Unusable


def _items(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise _Unusable
    return list(value)


def _position(value: Any) -> Position:
    numbers = _items(value)
    if len(numbers) < 2 or not all(
        isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)
        for number in numbers
    ):
        raise _Unusable
    return float(numbers[0]), float(numbers[1])


def _line(value: Any) -> Line:
    line = tuple(_position(each) for each in _items(value))
    if len(line) < 2:
        raise _Unusable
    return Line(line)


def _polygon(value: Any) -> Polygon:
    rings = [tuple(_position(each) for each in _items(ring)) for ring in _items(value)]
    if not rings or any(len(ring) < 4 or ring[0] != ring[-1] for ring in rings):
        raise _Unusable
    return Polygon(rings[0], tuple(rings[1:]))
