"""Segments and rings in the plane, many at a time.

A segment is a pair of positions; rows of an array `[n, 4]` are `x1, y1, x2, y2`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Segments = NDArray[np.float64]
Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


def segments(positions: Sequence[tuple[float, float]]) -> Segments:
    """The segments that join neighbouring positions."""
    points = np.asarray(positions, dtype=np.float64)
    return np.hstack([points[:-1], points[1:]])


def side(ax: Numbers, ay: Numbers, bx: Numbers, by: Numbers, px: Numbers, py: Numbers) -> Numbers:
    """1 where p lies left of the way from a to b, -1 right of it, 0 on it."""
    return np.sign((bx - ax) * (py - ay) - (px - ax) * (by - ay))


def meetings(left: Segments, right: Segments, *, proper: bool = False) -> Flags:
    """Matrix of which segments of `left` (rows) share a point with which of `right` (columns).

    With `proper`, only where they cross inside both, not where one touches or covers the other.
    """
    ax, ay, bx, by = (column[:, np.newaxis] for column in left.T)
    cx, cy, dx, dy = (column[np.newaxis, :] for column in right.T)
    c, d = side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)
    a, b = side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)
    apart = np.maximum(a * b, c * d)  # -1 where each has its ends on both sides of the other
    near: Flags = apart < (0 if proper else 1)
    near &= (np.minimum(ax, bx) <= np.maximum(cx, dx)) & (np.minimum(cx, dx) <= np.maximum(ax, bx))
    near &= (np.minimum(ay, by) <= np.maximum(cy, dy)) & (np.minimum(cy, dy) <= np.maximum(ay, by))
    return near


def on_ring(ring: Segments, x: Numbers, y: Numbers) -> Flags:
    """Which points lie on the ring itself."""
    found: Flags = np.any(_on(ring, x, y), axis=1)
    return found


def in_ring(ring: Segments, x: Numbers, y: Numbers) -> Flags:
    """Which points lie inside the ring or on it."""
    ax, ay, bx, by = (column[np.newaxis, :] for column in ring.T)
    px, py = x[:, np.newaxis], y[:, np.newaxis]
    spans = (ay > py) != (by > py)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = px < (bx - ax) * (py - ay) / (by - ay) + ax
    odd = (spans & crossing).sum(axis=1) % 2 == 1
    inside: Flags = odd | on_ring(ring, x, y)
    return inside


def _on(ring: Segments, x: Numbers, y: Numbers) -> Flags:
    ax, ay, bx, by = (column[np.newaxis, :] for column in ring.T)
    px, py = x[:, np.newaxis], y[:, np.newaxis]
    within = (np.minimum(ax, bx) <= px) & (px <= np.maximum(ax, bx))
    within &= (np.minimum(ay, by) <= py) & (py <= np.maximum(ay, by))
    found: Flags = within & (side(ax, ay, bx, by, px, py) == 0)
    return found


def crosses_itself(ring: Sequence[tuple[float, float]]) -> bool:
    """Whether two segments of a ring cross inside both."""
    own = segments(ring)
    return bool(meetings(own, own, proper=True).any())
