"""GeoJSON geometries as shapes on the sphere; a query's are refused with code 2 where they are not sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.geo.shapes import Path, Polygon, Shape, crosses_itself
from atlas_rag.inprocess.mql.geo.vectors import Vector, unit_vector
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.match.geo.points import check_on_globe, given_point
from atlas_rag.inprocess.rendering import render

_COLLECTION = "GeometryCollection"
_STRICT_WINDING = "urn:x-mongodb:crs:strictwinding:EPSG:4326"
_REFERENCE_SYSTEMS = ("urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326")


def geometry(value: Mapping[str, Any]) -> list[Shape]:
    """Returns the shapes of a geometry, one for each of its parts.

    Raises:
        CommandError: code 2 (not a geometry), 115 (polygons larger than half the globe).
    """
    if value.get("type") == _COLLECTION:
        return _collection(value)
    kind = _kind(value)
    if kind is None:
        raise CommandError(BAD_VALUE, f"unknown GeoJSON type: {render(value)}")
    if "crs" in value:
        _check_reference_system(kind, value["crs"])
    return _KINDS[kind](kind, value.get("coordinates"))


def stored_geometry(value: Mapping[str, Any]) -> list[Shape]:
    """Returns the shapes of a document's geometry, none if it is not sound."""
    try:
        return geometry(value)
    except CommandError:
        return []


def _collection(value: Mapping[str, Any]) -> list[Shape]:
    members = value.get("geometries")
    if not isinstance(members, list):
        raise CommandError(BAD_VALUE, "GeometryCollection geometries must be an array")
    if not members:
        text = "GeometryCollection geometries must have at least 1 element"
        raise CommandError(BAD_VALUE, text)
    return [shape for position, member in enumerate(members) for shape in _member(position, member)]


def _member(position: int, member: Any) -> list[Shape]:
    if not isinstance(member, Mapping):
        text = f'Element {position} of "geometries" is not an object'
        raise CommandError(BAD_VALUE, text)
    if member.get("type") == _COLLECTION:
        raise CommandError(BAD_VALUE, f"GeometryCollections cannot be nested: {render(member)}")
    if _kind(member) is None:
        raise CommandError(BAD_VALUE, f"Unknown GeoJSON type: {render(member)}")
    return geometry(member)


def _kind(value: Mapping[str, Any]) -> str | None:
    kind = value.get("type")
    return kind if isinstance(kind, str) and kind in _KINDS else None


def _check_reference_system(kind: str, crs: Any) -> None:
    if not isinstance(crs, (Mapping, list)):
        raise CommandError(BAD_VALUE, "GeoJSON CRS must be an object")
    if not isinstance(crs, Mapping) or crs.get("type") != "name":
        raise CommandError(BAD_VALUE, 'GeoJSON CRS must have field "type": "name"')
    properties = crs.get("properties")
    if not isinstance(properties, (Mapping, list)):
        raise CommandError(BAD_VALUE, 'CRS must have field "properties" which is an object')
    name = properties.get("name") if isinstance(properties, Mapping) else None
    if not isinstance(name, str):
        raise CommandError(BAD_VALUE, 'In CRS, "properties.name" must be a string')
    if name == _STRICT_WINDING:
        if kind != "Polygon":
            raise CommandError(BAD_VALUE, "Strict winding order is only supported by polygon")
        raise CommandError(115, f"{_STRICT_WINDING} is not supported by the in-process engine")
    if name not in _REFERENCE_SYSTEMS:
        raise CommandError(BAD_VALUE, f"Unknown CRS name: {name}")


def _point(value: Any) -> Vector:
    """Returns a position; what follows longitude and latitude is passed over."""
    return unit_vector(check_on_globe(given_point(value, more=True)))


def _points(value: Any) -> list[Vector]:
    if not isinstance(value, list):
        raise CommandError(BAD_VALUE, "GeoJSON coordinates must be an array of coordinates")
    found: list[Vector] = []
    for item in value:
        if not isinstance(item, list):
            raise CommandError(BAD_VALUE, "GeoJSON coordinates must be an array")
        found.append(_point(item))
    return found


def _without_repeats(points: list[Vector]) -> tuple[Vector, ...]:
    """Returns positions, neighbours that are equal as one."""
    return tuple(point for point, _ in groupby(points))


def _line(value: Any) -> Path:
    points = _without_repeats(_points(value))
    if len(points) < 2:
        text = f"GeoJSON LineString must have at least 2 vertices: {render(value)}"
        raise CommandError(BAD_VALUE, text)
    return Path(points)


def _ring(value: Any) -> tuple[Vector, ...]:
    points = _points(value)
    if not points:
        raise CommandError(BAD_VALUE, f"Loop has no vertices: {render(value)}")
    if points[0] != points[-1]:
        raise CommandError(BAD_VALUE, f"Loop is not closed: {render(value)}")
    ring = _without_repeats(points)
    if len(ring) < 4:
        text = f"Loop must have at least 3 different vertices: {render(value)}"
        raise CommandError(BAD_VALUE, text)
    if crosses_itself(ring) or len(set(ring)) < len(ring) - 1:
        raise CommandError(BAD_VALUE, f"Loop is not valid: {render(value)}")
    return ring


def _polygon(value: Any) -> Polygon:
    if not isinstance(value, list):
        raise CommandError(BAD_VALUE, "Polygon coordinates must be an array")
    if not value:
        raise CommandError(BAD_VALUE, "Polygon has no loops.")
    outline, *holes = value
    rings = [_ring(outline)]
    whole = Polygon((rings[0],))
    for hole in holes:
        rings.append(_ring(hole))
        if not all(map(whole.holds, rings[-1])):
            text = "Secondary loops not contained by first exterior loop - secondary loops must be holes"
            raise CommandError(BAD_VALUE, f"{text}: {render(hole)} first loop: {render(outline)}")
    return Polygon(tuple(rings))


def _one(read: Callable[[Any], Shape]) -> Callable[[str, Any], list[Shape]]:
    return lambda kind, value: [read(value)]


def _several(read: Callable[[Any], Shape]) -> Callable[[str, Any], list[Shape]]:
    def shapes(kind: str, value: Any) -> list[Shape]:
        if not isinstance(value, list):
            raise CommandError(BAD_VALUE, f"{kind} coordinates must be an array")
        if not value:
            raise CommandError(BAD_VALUE, f"{kind} coordinates must have at least 1 element")
        return [read(item) for item in value]

    return shapes


def _dot(value: Any) -> Path:
    return Path((_point(value),))


def _dots(kind: str, value: Any) -> list[Shape]:
    points = _points(value)
    if not points:
        raise CommandError(BAD_VALUE, f"{kind} coordinates must have at least 1 element")
    return [Path((point,)) for point in points]


_KINDS: dict[str, Callable[[str, Any], list[Shape]]] = {
    "Point": _one(_dot),
    "LineString": _one(_line),
    "Polygon": _one(_polygon),
    "MultiPoint": _dots,
    "MultiLineString": _several(_line),
    "MultiPolygon": _several(_polygon),
}
