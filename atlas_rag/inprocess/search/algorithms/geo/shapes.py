"""How shapes lie to one another: intersects, disjoint, within, contains.

Source: Lucene's LatLonShape queries. Shapes include their edges, with its exceptions: a point on the edge of
a hole is outside, a shape that touches a hole is not within, and no line or polygon that touches a shape's
edge is contained in it. Degrees are plane coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from atlas_rag.inprocess.search.algorithms.geo.geojson import Line, Point, Polygon, Shape, positions
from atlas_rag.inprocess.search.algorithms.geo.globe import indexed_latitude, indexed_longitude
from atlas_rag.inprocess.search.algorithms.geo.segments import (
    Flags,
    Numbers,
    Segments,
    in_ring,
    meetings,
    on_ring,
    segments,
)

Relation: TypeAlias = Literal["contains", "disjoint", "intersects", "within"]


def as_indexed(shapes: Sequence[Shape]) -> tuple[Shape, ...]:
    """The shapes with every position moved to the grid that an index keeps."""

    def move(line: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((indexed_longitude(x), indexed_latitude(y)) for x, y in line)

    moved: list[Shape] = []
    for shape in shapes:
        match shape:
            case Point(position):
                moved.append(Point(move((position,))[0]))
            case Line(line):
                moved.append(Line(move(line)))
            case Polygon(outline, holes):
                moved.append(Polygon(move(outline), tuple(move(hole) for hole in holes)))
    return tuple(moved)


def relates(document: Sequence[Shape], relation: Relation, query: Sequence[Shape]) -> bool:
    """Whether a document's shapes (`as_indexed`) stand in a relation to a query's.

    `within` asks that each shape lie in one of the query's, `contains` that each of the query's lie in one of
    the document's, which the edges of none of them may meet.
    """
    return bool(document) and _RELATIONS[relation](document, query)


def contains_points(polygon: Polygon, x: Numbers, y: Numbers) -> Flags:
    """Which points lie in a polygon: on its outline counts, on the edge of a hole does not."""
    inside = in_ring(segments(polygon.outline), x, y)
    for hole in polygon.holes:
        inside &= ~in_ring(segments(hole), x, y)
    return inside


def _intersects(document: Sequence[Shape], query: Sequence[Shape]) -> bool:
    return any(_meet(ours, theirs) for ours in document for theirs in query)


def _disjoint(document: Sequence[Shape], query: Sequence[Shape]) -> bool:
    return not _intersects(document, query)


def _within(document: Sequence[Shape], query: Sequence[Shape]) -> bool:
    areas = [shape for shape in query if isinstance(shape, Polygon)]
    return all(any(_inside(ours, area) for area in areas) for ours in document)


def _contains(document: Sequence[Shape], query: Sequence[Shape]) -> bool:
    return all(_holds(document, theirs) for theirs in query)


_RELATIONS: dict[Relation, Callable[[Sequence[Shape], Sequence[Shape]], bool]] = {
    "contains": _contains,
    "disjoint": _disjoint,
    "intersects": _intersects,
    "within": _within,
}


def _edges(shape: Line | Polygon) -> Segments:
    if isinstance(shape, Line):
        return segments(shape.positions)
    return np.vstack([segments(ring) for ring in shape.rings])


def _columns(shape: Shape) -> tuple[Numbers, Numbers]:
    x, y = np.asarray(positions(shape), dtype=np.float64).T
    return x, y


def _covered(polygon: Polygon, shape: Shape) -> Flags:
    """Which corners of a shape lie in the polygon, the edges of its holes included."""
    x, y = _columns(shape)
    inside = contains_points(polygon, x, y)
    for hole in polygon.holes:
        inside |= on_ring(segments(hole), x, y)
    return inside


def _meet(ours: Shape, theirs: Shape) -> bool:
    """Whether two shapes share a point."""
    match ours, theirs:
        case Point(), Point():
            return ours.position == theirs.position
        case Point(), Line():
            return bool(on_ring(_edges(theirs), *_columns(ours)).any())
        case Point(), Polygon():
            return bool(contains_points(theirs, *_columns(ours)).any())
        case Line(), Point():
            return _meet(theirs, ours)
        case Polygon(), Point():
            return bool(_covered(ours, theirs).any())
    if meetings(_edges(ours), _edges(theirs)).any():  # type: ignore[arg-type]
        return True
    return any(
        isinstance(area, Polygon) and bool(_covered(area, other).any())
        for area, other in ((ours, theirs), (theirs, ours))
    )


def _inside(ours: Shape, area: Polygon) -> bool:
    """Whether a whole shape lies in a polygon."""
    x, y = _columns(ours)
    if not contains_points(area, x, y).all():
        return False
    if isinstance(ours, Point):
        return True
    if meetings(_edges(ours), segments(area.outline), proper=True).any():
        return False
    return not any(_meet(ours, Polygon(hole)) for hole in area.holes)


def _holds(document: Sequence[Shape], theirs: Shape) -> bool:
    """Whether one shape holds a point; a line or polygon must lie in a polygon, off all edges."""
    if isinstance(theirs, Point):
        return any(_meet(ours, theirs) for ours in document)
    areas = [shape for shape in document if isinstance(shape, Polygon)]
    borders: list[Shape] = [shape for shape in document if not isinstance(shape, Polygon)]
    borders += [Line(ring) for area in areas for ring in area.rings]
    if any(_meet(border, theirs) for border in borders):
        return False
    return any(bool(_covered(area, theirs).all()) for area in areas)
