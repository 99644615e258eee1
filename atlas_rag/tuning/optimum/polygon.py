"""Convex polygons in the triangle of three weights of sum 1.

Because weights have sum 1, coefficients · weights is any linear function on the triangle: a line is where it
is 0.
"""

from __future__ import annotations

import numpy as np

from atlas_rag.tuning.data.runs import Floats

SMALLEST = 1e-15
"""Area, as a share of the triangle, below which a polygon is an artefact of rounding."""


def divided(corners: Floats, line: Floats) -> list[Floats]:
    """The parts of a polygon on both sides of a line; parts without area are left out.

    Args:
        corners: one a row, in order around the polygon.
        line: coefficients.
    """
    side = corners @ line
    parts = [_clipped(corners, side), _clipped(corners, -side)]
    return [part for part in parts if len(part) >= 3 and area(part) > SMALLEST]


def halving_line(corners: Floats) -> Floats:
    """The line through the middle of the polygon, across its longest extent."""
    distance = ((corners[:, None] - corners[None]) ** 2).sum(axis=2)
    one, other = np.unravel_index(distance.argmax(), distance.shape)
    direction = corners[one] - corners[other]
    line: Floats = direction - direction @ corners.mean(axis=0)
    return line


def inner_point(corners: Floats) -> Floats:
    """A point inside that is not the middle: where weights are equal many pairs tie exactly."""
    parts = 1.0 + np.arange(len(corners)) * 0.6180339887 % 1.0
    point: Floats = parts @ corners / parts.sum()
    return point


def area(corners: Floats) -> float:
    """Share of the triangle: of two weights, half the sum of cross products, times 2."""
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)))


def _clipped(corners: Floats, side: Floats) -> Floats:
    """The part where `side` is ≥ 0. Source: Sutherland and Hodgman (1974)."""
    kept = []
    for place in range(len(corners)):
        after = (place + 1) % len(corners)
        here, there = side[place], side[after]
        if here >= 0:
            kept.append(corners[place])
        if here * there < 0:
            share = here / (here - there)
            kept.append(corners[place] + share * (corners[after] - corners[place]))
    return np.array(kept)
