"""`$geoWithin` and `$geoIntersects`, each compiled from its argument into a predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.engines.local.algorithms.sphere.shapes import Path, Polygon, Shape, meet
from atlas_rag.engines.local.algorithms.sphere.vectors import unit_vector
from atlas_rag.engines.local.match.arguments import BAD_VALUE
from atlas_rag.engines.local.match.geo import areas
from atlas_rag.engines.local.match.geo.geojson import geometry
from atlas_rag.engines.local.match.geo.points import check_on_globe, given_point
from atlas_rag.engines.local.match.operators import Predicate
from atlas_rag.engines.local.match.paths import Place, Test
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render, render_field

_FLAT: dict[str, Callable[[Any], Test]] = {
    "$box": areas.box,
    "$polygon": areas.polygon,
    "$center": areas.center,
    "$centerSphere": areas.center_sphere,
}


def geo_within(place: Place, name: str, argument: Any) -> Predicate:
    """`$geoWithin`, and `$within` as it was called before."""
    kind, area = _specifier(argument)
    if kind != "$geometry":
        return place.predicate(_FLAT[kind](area))
    shapes = _query_shapes(area)
    polygons = [shape for shape in shapes if isinstance(shape, Polygon)]
    if len(polygons) < len(shapes):
        text = f"$within not supported with provided geometry: {render({name: argument})}"
        raise CommandError(BAD_VALUE, text)
    return place.predicate(areas.within_polygons(polygons))


def geo_intersects(place: Place, name: str, argument: Any) -> Predicate:
    """`$geoIntersects`: what shares a point with a geometry."""
    kind, area = _specifier(argument)
    if kind == "$centerSphere":  # read, but nothing is compared with it
        areas.center_sphere(area)
        return lambda _: False
    if kind != "$geometry":
        text = f"$geoIntersect not supported with provided geometry: {render({name: argument})}"
        raise CommandError(BAD_VALUE, text)
    wanted = _query_shapes(area)

    def test(value: Any) -> bool:
        return any(meet(shape, other) for shape in areas.stored_shapes(value) for other in wanted)

    return place.predicate(test)


def _specifier(argument: Any) -> tuple[str, Any]:
    """Returns the last of the areas given, by the name of its kind. Raises code 2."""
    if not isinstance(argument, Mapping):
        raise CommandError(BAD_VALUE, "geometry must be an object")
    found: tuple[str, Any] | None = None
    for name, value in argument.items():
        if name == "$uniqueDocs":
            continue
        known = name == "$geometry" or name in _FLAT
        if not known or not isinstance(value, (Mapping, list)):
            raise CommandError(BAD_VALUE, f"unknown geo specifier: {render_field(name, value)}")
        found = name, value
    if found is None:
        raise CommandError(BAD_VALUE, "geo query doesn't have any geometry")
    return found


def _query_shapes(area: Any) -> list[Shape]:
    """Returns the shapes of a geometry; a legacy point is one too."""
    if isinstance(area, list) or (area and not {"type", "coordinates"} & set(area)):
        return [Path((unit_vector(check_on_globe(given_point(area))),))]
    if "type" in area and not isinstance(area["type"], str):
        given_point(area)
    return geometry(area)
