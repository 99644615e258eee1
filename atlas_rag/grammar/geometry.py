"""GeoJSON as the engine reads it: positions of two numbers and more, closed rings, nothing beside them.

Coordinates out of range are accepted here; they fail when the query runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    Document,
    Double,
    Later,
    ListOf,
    Tagged,
    is_document,
    is_string,
    required,
)
from atlas_rag.grammar.problem import At, Found, problem

LINE_POSITIONS: Final = 2
RING_POSITIONS: Final = 4


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

_COORDINATES: Final = {
    "Point": _POSITION,
    "MultiPoint": ListOf(_POSITION),
    "LineString": _LINE,
    "MultiLineString": ListOf(_LINE),
    "Polygon": _RINGS,
    "MultiPolygon": ListOf(_RINGS),
}
_IN_COLLECTION: Final = Later()


def _any_geometry(*, open: bool) -> Tagged:  # noqa: A002  as `Document` calls it
    collection = required("geometries", ListOf(_IN_COLLECTION))
    shapes = {name: required("coordinates", node) for name, node in _COORDINATES.items()}
    kinds = {"GeometryCollection": collection, **shapes}
    return Tagged("type", {name: Document(content, open=open) for name, content in kinds.items()})


GEOMETRY: Final = _any_geometry(open=False)
"""Any geometry, with nothing beside its type and its coordinates."""

_IN_COLLECTION.define(_any_geometry(open=True))  # there, other keys are ignored


class Point:
    """A geometry of type Point; another type is refused before its coordinates are read."""

    def check(self, value: Any, at: At, found: Found) -> None:
        name = value.get("type") if is_document(value) else None
        if name == "GeometryCollection" or (is_string(name) and name in _COORDINATES and name != "Point"):
            text = f"Expected type to be Point, got {constant_name(name)}"
            found.append(problem(at, text, "geometry"))
        else:
            GEOMETRY.check(value, at, found)


POINT: Final = Point()


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
