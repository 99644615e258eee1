"""`$near` and `$nearSphere` in `find` and its like: documents in order of distance, if the field is indexed.

Distances are metres from a GeoJSON point, radians from a legacy one. An aggregation has `$geoNear` instead,
and its `$match` refuses these operators.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.geo.shapes import distance
from atlas_rag.inprocess.mql.geo.vectors import EARTH_RADIUS_METRES, Vector, unit_vector
from atlas_rag.inprocess.mql.match.geo.areas import stored_shapes
from atlas_rag.inprocess.mql.match.geo.points import check_on_globe, given_point, is_on_globe
from atlas_rag.inprocess.mql.match.paths import values_on
from atlas_rag.inprocess.mql.values.numbers import is_nan, to_float
from atlas_rag.inprocess.mql.values.types import Document, is_number
from atlas_rag.inprocess.rendering import render, render_field

_NAMES = frozenset({"$near", "$nearSphere", "$geoNear"})
_BOUNDS = ("$minDistance", "$maxDistance")


class Near(NamedTuple):
    """A point to be near, and how near.

    Args:
        radius: of the globe, in the unit of the distances; None where only a flat index could answer.
    """

    field: str
    point: Vector
    radius: float | None
    least: float
    most: float

    def check_index(self, namespace: Namespace) -> None:
        """Refuses a field without a geographic index. Raises code 291."""
        if self.radius is None or self.field not in namespace.geo_fields():
            cause = "planner returned error :: caused by :: unable to find index for $geoNear query"
            raise CommandError(291, f"error processing query: ns={namespace.full_name} {cause}")

    def ordered(self, rows: Iterable[tuple[int, Document]]) -> list[tuple[int, Document]]:
        """Returns the rows within reach, nearest first."""
        found = []
        for key, document in rows:
            away = self._distance(document)
            if away is not None and self.least <= away <= self.most:
                found.append((away, key, document))
        found.sort(key=lambda entry: entry[0])
        return [(key, document) for _, key, document in found]

    def _distance(self, document: Document) -> float | None:
        values = values_on(document, self.field.split("."), look_into_leaf=True)
        angles = [distance(self.point, shape) for value in values for shape in stored_shapes(value)]
        return min(angles) * (self.radius or 1.0) if angles else None


def split_near(query: Mapping[str, Any]) -> tuple[Mapping[str, Any], Near | None]:
    """Returns a query without its nearness, and that. Raises code 2 (malformed, or not at the top)."""
    rest, found = _split(query)
    if len(found) > 1:
        raise CommandError(2, "Too many geoNear expressions")
    if _mentions_near(rest):
        raise CommandError(2, "geo $near must be top-level expr")
    return rest, found[0] if found else None


def _split(query: Mapping[str, Any]) -> tuple[dict[str, Any], list[Near]]:
    rest: dict[str, Any] = {}
    found: list[Near] = []
    for name, condition in query.items():
        if name == "$and" and isinstance(condition, list):
            parts = [_split(part) if isinstance(part, Mapping) else (part, []) for part in condition]
            rest[name] = [part for part, _ in parts]
            found += [near for _, nears in parts for near in nears]
        elif not name.startswith("$") and isinstance(condition, Mapping) and _NAMES & set(condition):
            found.append(_read(name, condition))
        else:
            rest[name] = condition
    return rest, found


def _mentions_near(value: Any) -> bool:
    if isinstance(value, Mapping):
        return bool(_NAMES & set(value)) or any(map(_mentions_near, value.values()))
    return isinstance(value, list) and any(map(_mentions_near, value))


def _read(field: str, condition: Mapping[str, Any]) -> Near:
    name = next(iter(condition))
    if name not in _NAMES or not isinstance(condition[name], (Mapping, list)):
        raise CommandError(2, f"near must be first in: {render(condition)}")
    argument = condition[name]
    siblings = {key: value for key, value in condition.items() if key != name}
    for key in siblings:
        if key not in _BOUNDS:
            raise CommandError(34413, f"invalid argument in geo near query: {key}")
    is_pair = isinstance(argument, list) or is_number(next(iter(argument.values()), None))
    if not is_pair or "$geometry" in argument:
        return _from_geometry(field, argument, siblings)
    return _from_pair(field, name, argument, siblings)


def _from_geometry(field: str, argument: Mapping[str, Any], siblings: Mapping[str, Any]) -> Near:
    for key, value in siblings.items():
        text = "geo near accepts just one argument when querying for a GeoJSON point. Extra field found"
        raise CommandError(2, f"{text}: {render_field(key, value)}")
    for key in argument:
        if key not in ("$geometry", *_BOUNDS):
            raise CommandError(2, f"invalid argument in geo near query: {key}")
    geometry = argument.get("$geometry")
    if not isinstance(geometry, Mapping):
        raise CommandError(2, "$geometry is required for geo near query")
    try:
        point = check_on_globe(given_point(geometry.get("coordinates")))
    except CommandError as error:
        text = f"invalid point in geo near query $geometry argument: {render(geometry)}  {error.message}"
        raise CommandError(2, text) from None
    return Near(field, unit_vector(point), EARTH_RADIUS_METRES, *_reach(argument))


def _from_pair(field: str, name: str, argument: Any, siblings: Mapping[str, Any]) -> Near:
    """A legacy point; how far may follow its two numbers, or stand beside the operator."""
    items = list(argument.values()) if isinstance(argument, Mapping) else argument
    given = {**(argument if isinstance(argument, Mapping) else {}), **siblings}
    if len(items) > 2 and not set(_BOUNDS) & set(given):
        given = {**given, _BOUNDS[1]: items[2]}
    point = given_point(items[:2])
    if name == "$near":
        return Near(field, unit_vector((0.0, 0.0)), None, *_reach(given))
    if not is_on_globe(point):
        raise CommandError(2, "Legacy point is out of bounds for spherical query")
    return Near(field, unit_vector(point), 1.0, *_reach(given))


def _reach(given: Mapping[str, Any]) -> tuple[float, float]:
    reach = []
    for name, default in zip(_BOUNDS, (0.0, math.inf), strict=True):
        value = given.get(name, default)
        if not is_number(value):
            raise CommandError(2, f"{name} must be a number")
        if is_nan(value) or to_float(value) < 0:
            raise CommandError(2, f"{name} must be non-negative")
        reach.append(to_float(value))
    return reach[0], reach[1]
