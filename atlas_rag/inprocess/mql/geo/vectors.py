"""Positions as unit vectors, the angles between them, and the arcs that join them."""

from __future__ import annotations

import math

Vector = tuple[float, float, float]
Position = tuple[float, float]

EARTH_RADIUS_METRES = 6_378_100.0
"""What the server takes the globe's radius for."""
# Two positions nearer than this, in radians, are one: 6 micrometres on the globe.
_TOUCH = 1e-12


def unit_vector(position: Position) -> Vector:
    """Returns the point on the unit sphere of a longitude and a latitude in degrees."""
    longitude, latitude = math.radians(position[0]), math.radians(position[1])
    return (
        math.cos(longitude) * math.cos(latitude),
        math.sin(longitude) * math.cos(latitude),
        math.sin(latitude),
    )


def angle(left: Vector, right: Vector) -> float:
    """Returns the angle between two vectors in radians, exact also for small ones."""
    return math.atan2(math.hypot(*cross(left, right)), dot(left, right))


def dot(left: Vector, right: Vector) -> float:
    """Returns the scalar product."""
    (a, b, c), (x, y, z) = left, right
    return a * x + b * y + c * z


def cross(left: Vector, right: Vector) -> Vector:
    """Returns the vector product."""
    (a, b, c), (x, y, z) = left, right
    return b * z - c * y, c * x - a * z, a * y - b * x


def opposite(point: Vector) -> Vector:
    """Returns the antipode."""
    return -point[0], -point[1], -point[2]


def distance_to_arc(point: Vector, start: Vector, end: Vector) -> float:
    """Returns the angle from a point to the nearest point of the shorter arc between two others."""
    normal = cross(start, end)
    length = math.hypot(*normal)
    beside = min(angle(point, start), angle(point, end))
    if length == 0:
        return beside
    # The foot of the perpendicular lies on the arc if the point is between the planes at its ends.
    if dot(cross(normal, start), point) < 0 or dot(cross(end, normal), point) < 0:
        return beside
    return abs(math.asin(max(-1.0, min(1.0, dot(normal, point) / length))))


def touches(point: Vector, start: Vector, end: Vector) -> bool:
    """True if a point lies on an arc."""
    return distance_to_arc(point, start, end) <= _TOUCH


def arcs_cross(a: Vector, b: Vector, c: Vector, d: Vector) -> bool:
    """True if the arcs ab and cd share a point that is an end of neither.

    Formula: each arc's ends lie on both sides of the other's great circle, and the arcs on the same half of
    the globe; that is, the triangles acb, cbd, bda and dac all turn the same way.
    """
    if a in (c, d) or b in (c, d):
        return False
    ab, cd = cross(a, b), cross(c, d)
    acb, bda = -dot(ab, c), dot(ab, d)
    if acb * bda <= 0:
        return False
    cbd, dac = -dot(cd, b), dot(cd, a)
    return acb * cbd > 0 and acb * dac > 0
