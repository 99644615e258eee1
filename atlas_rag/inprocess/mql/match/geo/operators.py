"""`$geoWithin` and `$geoIntersects`, each compiled from its argument into a predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.geo.shapes import Path, Polygon, Shape, meet
from atlas_rag.inprocess.mql.geo.vectors import unit_vector
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.match.geo import areas
from atlas_rag.inprocess.mql.match.geo.geojson import geometry
from atlas_rag.inprocess.mql.match.geo.points import given_point, is_legacy, is_on_globe
from atlas_rag.inprocess.mql.match.operators import Predicate
from atlas_rag.inprocess.mql.match.paths import Place, Test
from atlas_rag.inprocess.rendering import render, render_field

# What a legacy point that is not on the globe gives.
_BEYOND = Path(())

_FLAT: dict[str, Callable[[Any], Test]] = {
    "$box": areas.box,
    "$polygon": areas.polygon,
    "$center": areas.center,
    "$centerSphere": areas.center_sphere,
}


def geo_within(place: Place, name: str, argument: Any) -> Predicate:
    """`$geoWithin`, and `$within` as it was called before."""
    _, area = _area(argument)
    if not isinstance(area, list):
        return place.predicate(area)
    polygons = [shape for shape in area if isinstance(shape, Polygon)]
    if len(polygons) < len(area):
        text = f"$within not supported with provided geometry: {render({name: argument})}"
        raise CommandError(BAD_VALUE, text)
    return place.predicate(areas.within_polygons(polygons))


def geo_intersects(place: Place, name: str, argument: Any) -> Predicate:
    """`$geoIntersects`: what shares a point with a geometry."""
    kind, area = _area(argument)
    if kind == "$centerSphere":  # read, but nothing is compared with it
        return lambda _: False
    if not isinstance(area, list) or _BEYOND in area:
        text = f"$geoIntersect not supported with provided geometry: {render({name: argument})}"
        raise CommandError(BAD_VALUE, text)

    def test(value: Any) -> bool:
        return any(meet(shape, other) for shape in areas.stored_shapes(value) for other in area)

    return place.predicate(test)


def _area(argument: Any) -> tuple[str, Test | list[Shape]]:
    """Returns the last of the areas given, and the name of its kind; all are read. Raises code 2."""
    if not isinstance(argument, Mapping):
        raise CommandError(BAD_VALUE, "geometry must be an object")
    found: tuple[str, Test | list[Shape]] | None = None
    for name, value in argument.items():
        if name != "$uniqueDocs":
            found = name, _read(name, value)
    if found is None:
        raise CommandError(BAD_VALUE, "geo query doesn't have any geometry")
    return found


def _read(name: str, value: Any) -> Test | list[Shape]:
    known = name == "$geometry" or name in _FLAT
    if not known or not isinstance(value, (Mapping, list)):
        raise CommandError(BAD_VALUE, f"unknown geo specifier: {render_field(name, value)}")
    return _query_shapes(value) if name == "$geometry" else _FLAT[name](value)


def _query_shapes(area: Any) -> list[Shape]:
    """Returns the shapes of a geometry; a legacy point is one too."""
    if not is_legacy(area):
        return geometry(area)
    point = given_point(area)
    return [Path((unit_vector(point),)) if is_on_globe(point) else _BEYOND]
