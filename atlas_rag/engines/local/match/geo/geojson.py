"""GeoJSON geometries as shapes on the sphere; a query's are refused with code 2 where they are not sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.engines.local.algorithms.sphere.shapes import Path, Polygon, Shape, crosses_itself
from atlas_rag.engines.local.algorithms.sphere.vectors import Vector, unit_vector
from atlas_rag.engines.local.match.arguments import BAD_VALUE
from atlas_rag.engines.local.match.geo.points import check_on_globe, given_point
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render

_STRICT_WINDING = "urn:x-mongodb:crs:strictwinding:EPSG:4326"
_REFERENCE_SYSTEMS = ("urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326")


def geometry(value: Mapping[str, Any]) -> list[Shape]:
    """Returns the shapes of a geometry, one for each of its parts.

    Raises:
        CommandError: code 2 (not a geometry), 115 (polygons larger than half the globe).
    """
    kind = value.get("type")
    if kind == "GeometryCollection":
        return _collection(value)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise CommandError(BAD_VALUE, f"unknown GeoJSON type: {render(value)}")
    if "crs" in value:
        _check_reference_system(value["crs"])
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
    for position, member in enumerate(members):
        if not isinstance(member, Mapping):
            text = f'Element {position} of "geometries" is not an object'
            raise CommandError(BAD_VALUE, text)
        if member.get("type") not in _KINDS:
            raise CommandError(BAD_VALUE, f"Unknown GeoJSON type: {render(member)}")
    return [shape for member in members for shape in geometry(member)]


def _check_reference_system(crs: Any) -> None:
    if not isinstance(crs, Mapping):
        raise CommandError(BAD_VALUE, "GeoJSON CRS must be an object")
    if crs.get("type") != "name":
        raise CommandError(BAD_VALUE, 'GeoJSON CRS must have field "type": "name"')
    properties = crs.get("properties")
    if not isinstance(properties, Mapping):
        raise CommandError(BAD_VALUE, 'CRS must have field "properties" which is an object')
    name = properties.get("name")
    if name == _STRICT_WINDING:
        raise CommandError(115, f"{_STRICT_WINDING} is not supported by the in-process engine")
    if name not in _REFERENCE_SYSTEMS:
        raise CommandError(BAD_VALUE, f"Unknown CRS name: {name}")


def _point(value: Any) -> Vector:
    return unit_vector(check_on_globe(given_point(value)))


def _points(value: Any) -> tuple[Vector, ...]:
    """Returns the positions of an array, neighbours that are equal as one."""
    if not isinstance(value, list):
        raise CommandError(BAD_VALUE, "GeoJSON coordinates must be an array of coordinates")
    if not all(isinstance(item, list) for item in value):
        raise CommandError(BAD_VALUE, "GeoJSON coordinates must be an array")
    found: list[Vector] = []
    for item in value:
        point = _point(item)
        if not found or point != found[-1]:
            found.append(point)
    return tuple(found)


def _line(value: Any) -> Path:
    points = _points(value)
    if len(points) < 2:
        text = f"GeoJSON LineString must have at least 2 vertices: {render(value)}"
        raise CommandError(BAD_VALUE, text)
    return Path(points)


def _ring(value: Any) -> tuple[Vector, ...]:
    ring = _points(value)
    if not ring or value[0] != value[-1] or len(value) == 1:
        raise CommandError(BAD_VALUE, f"Loop is not closed: {render(value)}")
    if len(set(ring)) < 3:
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
    outline, *holes = [_ring(ring) for ring in value]
    whole = Polygon((outline,))
    for position, hole in enumerate(holes, 1):
        if not all(map(whole.holds, hole)):
            text = "Secondary loops not contained by first exterior loop - secondary loops must be holes"
            shown = f"{render(value[position])} first loop: {render(value[0])}"
            raise CommandError(BAD_VALUE, f"{text}: {shown}")
    return Polygon((outline, *holes))


def _one(read: Callable[[Any], Shape]) -> Callable[[str, Any], list[Shape]]:
    return lambda kind, value: [read(value)]


def _several(read: Callable[[Any], Shape]) -> Callable[[str, Any], list[Shape]]:
    def shapes(kind: str, value: Any) -> list[Shape]:
        if not isinstance(value, list):
            text = "GeoJSON coordinates must be an array of coordinates"
            raise CommandError(BAD_VALUE, text)
        if not value:
            raise CommandError(BAD_VALUE, f"{kind} coordinates must have at least 1 element")
        return [read(item) for item in value]

    return shapes


def _dot(value: Any) -> Path:
    return Path((_point(value),))


_KINDS: dict[str, Callable[[str, Any], list[Shape]]] = {
    "Point": _one(_dot),
    "LineString": _one(_line),
    "Polygon": _one(_polygon),
    "MultiPoint": _several(_dot),
    "MultiLineString": _several(_line),
    "MultiPolygon": _several(_polygon),
}
