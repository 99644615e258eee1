"""GeoJSON as the engine reads it: positions of two numbers and more, closed rings, nothing beside them.

Coordinates out of range are accepted here; they fail when the query runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Double, Enum, Later, ListOf, is_document
from atlas_rag.grammar.kit.documents import DocumentRule, unknown_fields
from atlas_rag.grammar.problem import At, Found, problem

LINE_POSITIONS: Final = 2
RING_POSITIONS: Final = 4

_TYPE: Final = Enum(
    "GeometryCollection", "LineString", "MultiLineString", "MultiPoint", "MultiPolygon", "Point", "Polygon"
)


def _enough_numbers(items: list[Any], at: At, found: Found) -> None:
    if len(items) < LINE_POSITIONS:
        found.append(problem(at, "at least 2 numbers must be present in a coordinate", "coordinates"))


def _at_least(count: int) -> Callable[[list[Any], At, Found], None]:
    def rule(items: list[Any], at: At, found: Found) -> None:
        if len(items) < count:
            text = f"at least {count} positions must be present (found {len(items)})"
            found.append(problem(at, text, "coordinates"))

    return rule


def _ring(items: list[Any], at: At, found: Found) -> None:
    _at_least(RING_POSITIONS)(items, at, found)
    if len(items) >= RING_POSITIONS and list(items[0]) != list(items[-1]):
        text = "polygon rings must be closed (last position == first position)"
        found.append(problem(at, text, "coordinates"))


_POSITION: Final = ListOf(Double(), rule=_enough_numbers)
_LINE: Final = ListOf(_POSITION, rule=_at_least(LINE_POSITIONS))
_RINGS: Final = ListOf(ListOf(_POSITION, rule=_ring), empty=False)

COORDINATES: Final = {
    "Point": _POSITION,
    "MultiPoint": ListOf(_POSITION),
    "LineString": _LINE,
    "MultiLineString": ListOf(_LINE),
    "Polygon": _RINGS,
    "MultiPolygon": ListOf(_RINGS),
}


class Geometry:
    """Any GeoJSON geometry, or only those of one type.

    Args:
        only: the type that is wanted.
        rule: further condition on a sound geometry.
    """

    def __init__(self, *, only: str | None = None, rule: DocumentRule | None = None) -> None:
        self._only, self._rule = only, rule

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        name = value.get("type")
        if name is None:
            found.append(problem((at, "type"), "is required", "required"))
            return
        before = len(found)
        _TYPE.check(name, (at, "type"), found)
        if len(found) > before:
            return
        if self._only is not None and name != self._only:
            text = f"Expected type to be {self._only}, got {constant_name(name)}"
            found.append(problem(at, text, "geometry"))
            return
        self._check_shape(name, value, at, found)
        if self._rule is not None and len(found) == before:
            self._rule(value, at, found)

    def _check_shape(self, name: str, value: Mapping[str, Any], at: At, found: Found) -> None:
        key, node = ("geometries", _GEOMETRIES) if name == "GeometryCollection" else _coordinates(name)
        content = value.get(key)
        if content is None:
            found.append(problem((at, key), "is required", "required"))
        else:
            node.check(content, (at, key), found)
        if not value.keys() <= {"type", key}:
            found.append(unknown_fields(value, {"type", key}, at))


def _coordinates(name: str) -> tuple[str, ListOf]:
    return "coordinates", COORDINATES[name]


_NESTED: Final = Later()
_GEOMETRIES: Final = ListOf(_NESTED)
GEOMETRY: Final = Geometry()
POINT: Final = Geometry(only="Point")


class _Loose(Geometry):
    """A geometry inside a collection: keys beside its own are ignored."""

    def _check_shape(self, name: str, value: Mapping[str, Any], at: At, found: Found) -> None:
        key = "geometries" if name == "GeometryCollection" else "coordinates"
        known = {one: value[one] for one in ("type", key) if one in value}
        super()._check_shape(name, known, at, found)


_NESTED.define(_Loose())


def constant_name(name: str) -> str:
    """A camelCase name as the engine's constant: `LineString` → `LINE_STRING`."""
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name).removeprefix("_")


def shapes(geometry: Mapping[str, Any]) -> Iterator[str]:
    """The simple shapes of a sound geometry: one of Point, LineString, Polygon each."""
    name = geometry["type"]
    if name == "GeometryCollection":
        for one in geometry["geometries"]:
            yield from shapes(one)
    elif name.startswith("Multi"):
        yield from [name.removeprefix("Multi")] * len(geometry["coordinates"])
    else:
        yield name
