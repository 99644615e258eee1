"""Queries over geometries: points in an area, points near a place, shapes in a relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from atlas_rag.inprocess.search.algorithms.geo.areas import Area, Box, Circle
from atlas_rag.inprocess.search.algorithms.geo.geojson import (
    Line,
    Point,
    Polygon,
    Position,
    Shape,
    indexable_shapes,
)
from atlas_rag.inprocess.search.algorithms.geo.globe import Degrees, distances
from atlas_rag.inprocess.search.algorithms.geo.shapes import Relation, as_indexed, relates
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    NOTHING,
    ONE,
    Explanation,
    Matches,
    Query,
    Weight,
    double_text,
)
from atlas_rag.inprocess.search.search_index.queries.leaves import EqualScores
from atlas_rag.inprocess.search.search_index.storage.runs import Ints


class Places(NamedTuple):
    """Every indexed point of a path, in document order."""

    docs: Ints
    longitudes: Degrees
    latitudes: Degrees


def shapes_of(partition: Partition, column: str) -> list[tuple[int, tuple[Shape, ...]]]:
    """Returns (document, shapes as indexed) of all documents that have sound geometries."""
    key = ("shapes", column)
    if key not in partition.derived:
        found: dict[int, tuple[Shape, ...]] = {}
        for doc, value in partition.object_column(column).live():
            found[doc] = found.get(doc, ()) + as_indexed(indexable_shapes(value))
        partition.derived[key] = [(doc, shapes) for doc, shapes in found.items() if shapes]
    kept: list[tuple[int, tuple[Shape, ...]]] = partition.derived[key]
    return kept


def places(partition: Partition, column: str) -> Places:
    """Returns the points among all shapes of a column."""
    key = ("places", column)
    if key not in partition.derived:
        rows = [
            (doc, *shape.position)
            for doc, shapes in shapes_of(partition, column)
            for shape in shapes
            if isinstance(shape, Point)
        ]
        docs, x, y = zip(*rows, strict=True) if rows else ((), (), ())
        partition.derived[key] = Places(np.array(docs, np.int32), np.array(x, float), np.array(y, float))
    kept: Places = partition.derived[key]
    return kept


@dataclass(frozen=True, slots=True)
class InArea(Query):
    """Documents with a point in an area."""

    column: str
    field: str
    area: Area

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        found = places(partition, self.column)
        docs = np.unique(found.docs[self.area.holds(found.longitudes, found.latitudes)])
        return EqualScores(self, partition, docs, boost)

    def __str__(self) -> str:
        match self.area:
            case Circle((x, y), radius):
                return f"{self.field}:{double_text(y)},{double_text(x)} +/- {double_text(radius)} meters"
            case Box():
                west, south, east, north = self.area.edges
                latitudes = f"[{double_text(south)} TO {double_text(north)}]"
                return f"{self.field}:{latitudes},[{double_text(west)} TO {double_text(east)}]"
        return f"LatLonPointQuery: field={self.field}:{_listed(self.area.polygons)}"


@dataclass(frozen=True, slots=True)
class InRelation(Query):
    """Documents whose shapes stand in a relation to given ones."""

    column: str
    field: str
    relation: Relation
    shapes: tuple[Shape, ...]

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        docs = [
            doc
            for doc, shapes in shapes_of(partition, self.column)
            if relates(shapes, self.relation, self.shapes)
        ]
        return EqualScores(self, partition, np.array(docs, np.int32), boost)

    def __str__(self) -> str:
        return f"LatLonShapeQuery: field={self.field}:{_listed(self.shapes)}"


@dataclass(frozen=True, slots=True)
class PlaceNear(Query):
    """Scores pivot / (pivot + metres to the nearest point)."""

    column: str
    field: str
    origin: Position
    pivot: float

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _PlaceNearWeight(self, partition, boost)

    def __str__(self) -> str:
        x, y = map(double_text, self.origin)
        name = f"LatLonPointDistanceFeatureQuery(field={self.field},originLat={y},originLon={x}"
        return f"{name},pivotDistance={double_text(self.pivot)})"


class _PlaceNearWeight(Weight):
    query: PlaceNear

    def __init__(self, query: PlaceNear, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost)
        self._places = places(partition, query.column)
        self._metres = distances(self._places.longitudes, self._places.latitudes, *query.origin)

    def compute(self) -> Matches:
        docs, first = np.unique(self._places.docs, return_index=True)
        if not len(docs):
            return NOTHING
        nearest = np.minimum.reduceat(self._metres, first)
        pivot = self.query.pivot
        return Matches(docs, (float(self.boost) * (pivot / (pivot + nearest))).astype(np.float32))

    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        rows = np.flatnonzero(self._places.docs == doc)
        row = rows[self._metres[rows].argmin()]
        origin, pivot = self.query.origin, self.query.pivot
        parts = {
            "weight": self.boost,
            "pivotDistance": pivot,
            "originLat": origin[1],
            "originLon": origin[0],
            "current lat": self._places.latitudes[row],
            "current lon": self._places.longitudes[row],
            "distance": self._metres[row],
        }
        heading = "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:"
        details = tuple(Explanation(np.float32(value), name) for name, value in parts.items())
        return Explanation(score, heading, details)


def _listed(shapes: tuple[Shape, ...]) -> str:
    return f"[{''.join(f'{_shape_text(shape)},' for shape in shapes)}]"


def _shape_text(shape: Shape) -> str:
    match shape:
        case Point((x, y)):
            return f"Point({double_text(x)},{double_text(y)})"
        case Line(positions):
            return f"Line({_positions_text(positions)})"
        case Polygon(outline, holes):
            inner = ", ".join(_shape_text(Polygon(hole)) for hole in holes)
            return f"Polygon{_positions_text(outline)}{f', holes=[{inner}]' if holes else ''}"


def _positions_text(positions: tuple[Position, ...]) -> str:
    return "".join(f"[{double_text(y)}, {double_text(x)}] " for x, y in positions)
