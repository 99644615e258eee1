"""`$geoNear`: documents by their distance from a point, on the sphere.

A geographic index is not needed here, only its field: the `key` option, or what the collection says is
indexed. Distances are those of a server's `2dsphere` index: metres for a GeoJSON point, else radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.engines.local.algorithms.sphere.shapes import distance
from atlas_rag.engines.local.algorithms.sphere.vectors import EARTH_RADIUS_METRES, Vector, unit_vector
from atlas_rag.engines.local.expressions.fields import check_path
from atlas_rag.engines.local.match import compile_filter
from atlas_rag.engines.local.match.geo.areas import stored_shapes
from atlas_rag.engines.local.match.geo.points import is_on_globe, stored_point
from atlas_rag.engines.local.match.operators import Predicate
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.stages.context import GeoIndexed
from atlas_rag.engines.local.stages.registry import Build, Rows, Run, stage
from atlas_rag.engines.local.stages.shaping.unwind import plain_value, with_value
from atlas_rag.engines.local.values import MISSING, Document, is_truthy, type_name
from atlas_rag.engines.local.values.numbers import to_float
from atlas_rag.engines.local.values.row import Row
from atlas_rag.engines.local.values.types import is_number

_NO_INDEX = (27, "$geoNear requires a 2d or 2dsphere index, but none were found")


class _Options(NamedTuple):
    near: Vector
    radius: float
    key: str | None
    query: Predicate
    least: float
    most: float
    multiplier: float
    distance_path: list[str] | None
    location_path: list[str] | None


@stage("$geoNear", is_source=True)
def geo_near(argument: Any, build: Build) -> Run:
    """Documents in order of distance, nearest first; those without a point are left out."""
    options = _options(argument, build)
    build.add_metadata("geoNearDistance", "geoNearPoint", "sortKey")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        if build.collection is None:
            return
        collection = build.context.database.collection(build.collection, build.database)
        if collection is None:
            return
        key = (options.key or _indexed_field(collection)).split(".")
        found = list(_near(collection.documents(), key, options))
        found.sort(key=lambda pair: pair[0])
        for away, location, document in found:
            yield _row(document, away * options.multiplier, location, options)

    return run


def _near(
    documents: Iterator[Document] | Any, key: Sequence[str], options: _Options
) -> Iterator[tuple[float, Any, Document]]:
    for document in documents:
        location = plain_value(document, list(key))
        if location is MISSING or location is None or not options.query(document):
            continue
        shapes = stored_shapes(location)
        if not shapes:
            raise CommandError(16755, "Can't extract geo keys: Point must be an array or object")
        away = min(distance(options.near, shape) for shape in shapes) * options.radius
        if options.least <= away <= options.most:
            yield away, location, document


def _row(document: Document, distance: float, location: Any, options: _Options) -> Row:
    if options.distance_path:
        document = with_value(document, options.distance_path, distance)
    if options.location_path:
        document = with_value(document, options.location_path, location)
    return Row(document, {"geoNearDistance": distance, "geoNearPoint": location, "sortKey": [distance]})


def _indexed_field(collection: Any) -> str:
    fields = collection.geo_fields() if isinstance(collection, GeoIndexed) else ()
    if not fields:
        raise CommandError(*_NO_INDEX)
    if len(fields) > 1:
        text = "There is more than one 2dsphere index; please specify a 'key' for $geoNear"
        raise CommandError(27, text)
    return fields[0]


def _options(argument: Any, build: Build) -> _Options:
    if not isinstance(argument, Mapping):
        raise CommandError(10065, "invalid parameter: expected an object ($geoNear)")
    for name, code in (("limit", 50858), ("num", 50857), ("start", 50856)):
        if name in argument:
            text = f"$geoNear no longer supports the '{name}' parameter. Use a $limit stage instead."
            raise CommandError(code, text)
    if "near" not in argument:
        raise CommandError(5860400, "$geoNear requires a 'near' argument")
    near, is_geo_json = _near_point(argument)
    query = argument.get("query", {})
    if not isinstance(query, Mapping):
        raise CommandError(14, "query must be an object")
    return _Options(
        near=unit_vector(near),
        radius=EARTH_RADIUS_METRES if is_geo_json else 1.0,
        key=_key(argument),
        query=compile_filter(query),
        least=_number(argument, "minDistance", 0.0),
        most=_number(argument, "maxDistance", math.inf),
        multiplier=_number(argument, "distanceMultiplier", 1.0),
        distance_path=_distance_path(argument, build.context.release >= (8, 1)),
        location_path=_path(argument, "includeLocs", 16607, "that 'includeLocs' option is a String"),
    )


def _near_point(argument: Mapping[str, Any]) -> tuple[tuple[float, float], bool]:
    near = argument["near"]
    is_geo_json = isinstance(near, Mapping) and "type" in near
    if not is_geo_json and not is_truthy(argument.get("spherical", False)):
        text = "unable to find index for $geoNear query: a legacy point without 'spherical' needs a 2d index"
        raise CommandError(291, text)
    is_point = not is_geo_json or near["type"] == "Point"
    point = stored_point(near.get("coordinates") if is_geo_json else near) if is_point else None
    if point is None or not is_on_globe(point):
        raise CommandError(2, "invalid argument in geo near query: type")
    return point, is_geo_json


def _key(argument: Mapping[str, Any]) -> str | None:
    key = argument.get("key")
    if key is not None and not isinstance(key, str):
        text = f"must be of type string but found type: {type_name(key)}"
        raise CommandError(14, f"$geoNear parameter 'key' {text}")
    return key


def _number(argument: Mapping[str, Any], name: str, default: float) -> float:
    value = argument.get(name, default)
    if not is_number(value):
        raise CommandError(14, f"{name} must be a number")
    if to_float(value) < 0:
        raise CommandError(2, f"{name} must be nonnegative")
    return to_float(value)


def _distance_path(argument: Mapping[str, Any], is_optional: bool) -> list[str] | None:
    if "distanceField" not in argument and not is_optional:
        raise CommandError(16606, "$geoNear requires a 'distanceField' option as a String")
    return _path(argument, "distanceField", 16606, "a 'distanceField' option as a String")


def _path(argument: Mapping[str, Any], name: str, code: int, text: str) -> list[str] | None:
    if name not in argument:
        return None
    if not isinstance(argument[name], str):
        raise CommandError(code, f"$geoNear requires {text}")
    check_path(argument[name])
    return str(argument[name]).split(".")
