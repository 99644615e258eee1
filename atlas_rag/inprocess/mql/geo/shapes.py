"""Shapes on the sphere: what contains what, what meets what. Edges are arcs of great circles.

A polygon is the smaller of the two parts that its outline cuts the sphere into, its edges included; the edges
of a hole belong to the polygon, its inside does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from atlas_rag.inprocess.mql.geo.vectors import (
    Vector,
    angle,
    arcs_cross,
    distance_to_arc,
    opposite,
    touches,
)

Arc = tuple[Vector, Vector]
# Leaves the outline of a polygon alone on its way to any point: no corner is likely to lie on it.
_NUDGE = (0.00317, -0.00731, 0.00519)


class Path(NamedTuple):
    """A point, or a line through several."""

    points: tuple[Vector, ...]

    def arcs(self) -> Iterator[Arc]:
        """Yields its edges."""
        return pairwise(self.points)


class Polygon(NamedTuple):
    """Closed rings, the last point of each the first again: the outline, then the holes."""

    rings: tuple[tuple[Vector, ...], ...]

    @property
    def points(self) -> tuple[Vector, ...]:
        """The corners of the outline."""
        return self.rings[0]

    def arcs(self) -> Iterator[Arc]:
        """Yields the edges of all rings."""
        for ring in self.rings:
            yield from pairwise(ring)

    def holds(self, point: Vector) -> bool:
        """True if a point lies in the polygon or on an edge."""
        if any(touches(point, *arc) for arc in self.arcs()):
            return True
        outline, *holes = self.rings
        return _inside(outline, point) and not any(_inside(hole, point) for hole in holes)

    def contains(self, shape: Shape) -> bool:
        """True if all of a shape lies in the polygon."""
        if not all(map(self.holds, shape.points)) or _arcs_cross(self, shape):
            return False
        if isinstance(shape, Path):
            return True
        if any(_runs_along(edge, arc) for edge in shape.arcs() for arc in self.arcs()):
            return False  # along a shared edge the server's polygons are half open
        return not any(shape.holds(hole[0]) for hole in self.rings[1:])


Shape = Path | Polygon


class Cap(NamedTuple):
    """All within an angle (in radians) of a centre."""

    center: Vector
    radius: float

    def contains(self, shape: Shape) -> bool:
        """True if all of a shape lies in the cap."""
        if self.radius >= math.pi:
            return True
        far, rest = opposite(self.center), math.pi - self.radius
        if any(angle(self.center, point) > self.radius for point in shape.points):
            return False
        if any(distance_to_arc(far, *arc) < rest for arc in shape.arcs()):
            return False
        return isinstance(shape, Path) or not shape.holds(far)


def meet(left: Shape, right: Shape) -> bool:
    """True if two shapes share a point."""
    if _reaches(left, right) or _reaches(right, left):
        return True
    return _arcs_cross(left, right)


def distance(point: Vector, shape: Shape) -> float:
    """Returns the angle from a point to the nearest point of a shape, in radians; 0 inside a polygon."""
    if isinstance(shape, Polygon) and shape.holds(point):
        return 0.0
    if len(shape.points) == 1:
        return angle(point, shape.points[0])
    return min(distance_to_arc(point, *arc) for arc in shape.arcs())


def _reaches(shape: Shape, other: Shape) -> bool:
    """True if a corner of one shape lies in, or on, the other."""
    if isinstance(other, Polygon):
        return any(map(other.holds, shape.points))
    if len(other.points) == 1:
        return other.points[0] in shape.points
    return any(touches(point, *arc) for point in shape.points for arc in other.arcs())


def _runs_along(edge: Arc, arc: Arc) -> bool:
    """True if one arc is a part of the other."""
    return all(touches(point, *arc) for point in edge) or all(touches(point, *edge) for point in arc)


def _arcs_cross(left: Shape, right: Shape) -> bool:
    others = list(right.arcs())
    return any(arcs_cross(*arc, *other) for arc in left.arcs() for other in others)


def crosses_itself(ring: Sequence[Vector]) -> bool:
    """True if two edges of a ring cross."""
    arcs = list(pairwise(ring))
    return any(arcs_cross(*arc, *other) for at, arc in enumerate(arcs) for other in arcs[at + 2 :])


def _inside(ring: Sequence[Vector], point: Vector) -> bool:
    """True if a way from outside the ring to the point crosses it an odd number of times."""
    outside = _outside(ring)
    return sum(arcs_cross(outside, point, *arc) for arc in pairwise(ring)) % 2 == 1


def _outside(ring: Sequence[Vector]) -> Vector:
    """Returns a point opposite the middle of a ring's corners: outside, unless the ring is half a globe."""
    x, y, z = (
        sum(axis) / len(ring) + nudge for axis, nudge in zip(zip(*ring, strict=True), _NUDGE, strict=True)
    )
    length = math.hypot(x, y, z) or 1.0
    return -x / length, -y / length, -z / length
