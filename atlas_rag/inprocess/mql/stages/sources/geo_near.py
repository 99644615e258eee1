"""`$geoNear`: documents by their distance from a point, on the sphere.

A geographic index is not needed here, only its field: the `key` option, or what the collection says is
indexed. Distances are those of a server's `2dsphere` index: metres for a GeoJSON point, else radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate
from atlas_rag.inprocess.mql.geo.shapes import distance
from atlas_rag.inprocess.mql.geo.vectors import EARTH_RADIUS_METRES, Vector, unit_vector
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.match.geo.areas import stored_shapes
from atlas_rag.inprocess.mql.match.geo.points import (
    Position,
    check_on_globe,
    given_point,
    is_legacy,
    is_on_globe,
)
from atlas_rag.inprocess.mql.match.operators import Predicate
from atlas_rag.inprocess.mql.stages.context import GeoIndexed
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.shaping.unwind import plain_value, with_value
from atlas_rag.inprocess.mql.values import MISSING, Document, is_truthy, type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number

# The options of earlier releases, and how they are refused.
_GONE = (
    ("limit", 50858, "parameter. Use a $limit stage instead."),
    ("num", 50857, "parameter. Use a $limit stage instead."),
    ("start", 50856, "argument."),
)
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
    """Reads the options in the server's order, whatever their own; the point and the filter come last."""
    if not isinstance(argument, (Mapping, list)):
        raise CommandError(10065, "invalid parameter: expected an object ($geoNear)")
    given = argument if isinstance(argument, Mapping) else {}
    for name, code, text in _GONE:
        if name in given:
            raise CommandError(code, f"$geoNear no longer supports the '{name}' {text}")
    if "near" not in given:
        raise CommandError(5860400, "$geoNear requires a 'near' argument")
    near = compile_expression(given["near"], build.scope)
    distance_path = _distance_path(given, build.context.release >= (8, 1))
    most = _number(given, "maxDistance", math.inf)
    least = _number(given, "minDistance", 0.0)
    multiplier = _number(given, "distanceMultiplier", 1.0)
    query = given.get("query", {})
    if not isinstance(query, Mapping):
        raise CommandError(14, "query must be an object")
    location_path = _path(given, "includeLocs", 16607, "that 'includeLocs' option is a String")
    key = _key(given)
    value = _near_value(near)
    if is_pair := is_legacy(value):
        point, reach = _legacy_point(value, given)
        most = most if "maxDistance" in given else reach
    else:
        point = _json_point(value)
    return _Options(
        near=unit_vector(point),
        radius=1.0 if is_pair else EARTH_RADIUS_METRES,
        key=key,
        query=compile_filter(query),
        least=least,
        most=most,
        multiplier=multiplier,
        distance_path=distance_path,
        location_path=location_path,
    )


def _near_value(near: Evaluate) -> Any:
    if not isinstance(near, Constant):
        raise CommandError(5860402, "$geoNear requires a constant near argument")
    if not isinstance(near.value, (Mapping, list)):
        text = "$geoNear requires near argument to be a GeoJSON object or a legacy point(array)"
        raise CommandError(5860401, text)
    if not near.value:
        raise CommandError(2, "$geometry is required for geo near query")
    return near.value


def _json_point(value: Any) -> Position:
    """Returns the point of an object that does not begin with a number; its type is not looked at."""
    try:
        return check_on_globe(given_point(value.get("coordinates"), more=True))
    except CommandError:
        raise _invalid(value) from None


def _legacy_point(value: Any, options: Mapping[str, Any]) -> tuple[Position, float]:
    """Returns a pair of numbers, and the greatest distance, which may stand behind them."""
    numbers = list(value.values()) if isinstance(value, Mapping) else value
    if not 2 <= len(numbers) <= 3 or not all(map(is_number, numbers)):
        raise _invalid(value)
    x, y, reach, *_ = [*map(to_float, numbers), math.inf]
    if reach < 0:
        raise CommandError(18522, "max distance must be non-negative")
    if not is_truthy(options.get("spherical", False)):
        text = "unable to find index for $geoNear query: a legacy point without 'spherical' needs a 2d index"
        raise CommandError(291, text)
    if not is_on_globe((x, y)):
        raise CommandError(2, "Legacy point is out of bounds for spherical query")
    return (x, y), reach


def _invalid(value: Any) -> CommandError:
    first = next(iter(value)) if isinstance(value, Mapping) else "0"
    return CommandError(2, f"invalid argument in geo near query: {first}")


def _key(argument: Mapping[str, Any]) -> str | None:
    if "key" not in argument:
        return None
    key = argument["key"]
    if not isinstance(key, str):
        text = f"must be of type string but found type: {type_name(key)}"
        raise CommandError(14, f"$geoNear parameter 'key' {text}")
    if not key:
        raise CommandError(2, "$geoNear parameter 'key' cannot be the empty string")
    check_path(key)
    return key


def _number(argument: Mapping[str, Any], name: str, default: float) -> float:
    value = argument.get(name, default)
    if not is_number(value):
        raise CommandError(14, f"{name} must be a number")
    if not to_float(value) >= 0:  # nor NaN
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
