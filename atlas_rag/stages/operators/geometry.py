"""GeoJSON shapes: longitude first, in degrees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Read, WireModel, frozen, invalid, spelled_class

Position: TypeAlias = tuple[float, ...]
"""Longitude −180…180 and latitude −90…90; further numbers, such as a height, are ignored."""

SHAPES: dict[str, type[Geometry]] = {}
"""Every shape class by its GeoJSON type."""


class Geometry(WireModel):
    """Base of the shapes; `label` is the GeoJSON type."""

    label: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "label" in cls.__dict__:
            SHAPES[cls.label] = cls

    def spell(self) -> dict[str, Any]:
        return {"type": self.label, **super().spell()}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        if not isinstance(document, Mapping) or document.get("type") != cls.label:
            raise invalid(f"Not a GeoJSON {cls.label}", f"{{type: '{cls.label}', coordinates: [...]}}")
        return super().read({name: value for name, value in document.items() if name != "type"})

    def simple(self) -> Iterator[str]:
        """The simple shapes in it: Point, LineString or Polygon, once each."""
        yield self.label


def read_geometry(document: Any) -> Geometry:
    """Reads whichever shape a GeoJSON document holds."""
    name = document.get("type") if isinstance(document, Mapping) else None
    if not isinstance(name, str) or name not in SHAPES:
        raise invalid("Not a GeoJSON geometry", f"one of {', '.join(SHAPES)}")
    return SHAPES[name].read(document)


def _read_geometries(documents: Any) -> tuple[Geometry, ...]:
    if not isinstance(documents, list):
        raise invalid("The geometries of a collection are no array", "an array of shapes")
    return tuple(map(read_geometry, documents))


def _position(value: Any, name: str) -> None:
    if not isinstance(value, tuple) or len(value) < 2:
        raise invalid(f"{name} is no position", "(longitude, latitude)")
    for number in value:
        checks.real(number, name)
    if abs(value[0]) > 180 or abs(value[1]) > 90:
        raise invalid(f"{name} lies beyond the globe", "longitude −180…180, latitude −90…90")


def _line(least: int, *, closed: bool = False) -> Callable[[Any, str], None]:
    def check(value: Any, name: str) -> None:
        checks.each(_position)(value, name)
        if len(value) < least:
            raise invalid(f"{name} has {len(value)} positions", f"at least {least}")
        if closed and value[0] != value[-1]:
            raise invalid(f"{name} is not closed", "a ring whose last position is its first")

    return check


_rings = checks.each(_line(4, closed=True))


@spelled_class
class Point(Geometry):
    """One position. `Point(coordinates=(longitude, latitude))`."""

    label: ClassVar[str] = "Point"
    coordinates: Annotated[Position, _position, Read(frozen)]


@spelled_class
class MultiPoint(Geometry):
    """Positions."""

    label: ClassVar[str] = "MultiPoint"
    coordinates: Annotated[tuple[Position, ...], checks.each(_position)]

    def simple(self) -> Iterator[str]:
        yield "Point"


@spelled_class
class LineString(Geometry):
    """A line through two positions or more."""

    label: ClassVar[str] = "LineString"
    coordinates: Annotated[tuple[Position, ...], _line(2)]


@spelled_class
class MultiLineString(Geometry):
    """Lines."""

    label: ClassVar[str] = "MultiLineString"
    coordinates: Annotated[tuple[tuple[Position, ...], ...], checks.each(_line(2))]

    def simple(self) -> Iterator[str]:
        yield "LineString"


@spelled_class
class Polygon(Geometry):
    """An area: its outer ring, then its holes; a ring is closed and has four positions or more."""

    label: ClassVar[str] = "Polygon"
    coordinates: Annotated[tuple[tuple[Position, ...], ...], _rings]


@spelled_class
class MultiPolygon(Geometry):
    """Areas."""

    label: ClassVar[str] = "MultiPolygon"
    coordinates: Annotated[tuple[tuple[tuple[Position, ...], ...], ...], checks.each(_rings)]

    def simple(self) -> Iterator[str]:
        yield "Polygon"


@spelled_class
class GeometryCollection(Geometry):
    """Shapes of any kind."""

    label: ClassVar[str] = "GeometryCollection"
    geometries: Annotated[
        tuple[Geometry, ...],
        checks.each(checks.instance(Geometry)),
        Read(_read_geometries),
    ]

    def simple(self) -> Iterator[str]:
        for one in self.geometries:
            yield from one.simple()
