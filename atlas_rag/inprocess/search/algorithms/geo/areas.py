"""Areas that indexed points are looked for in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from atlas_rag.inprocess.search.algorithms.geo.geojson import Polygon, Position
from atlas_rag.inprocess.search.algorithms.geo.globe import distances, indexed_box
from atlas_rag.inprocess.search.algorithms.geo.segments import Flags, Numbers
from atlas_rag.inprocess.search.algorithms.geo.shapes import contains_points


@dataclass(frozen=True, slots=True)
class Circle:
    """All within `radius` metres of a centre."""

    center: Position
    radius: float

    def holds(self, x: Numbers, y: Numbers) -> Flags:
        """Which points (longitudes, latitudes) lie in the area."""
        inside: Flags = distances(x, y, *self.center) <= self.radius
        return inside


@dataclass(frozen=True, slots=True)
class Box:
    """All between two corners, edges included; the corners are moved inwards to the grid of an index."""

    bottom_left: Position
    top_right: Position

    @property
    def edges(self) -> tuple[float, float, float, float]:
        """West, south, east and north as they are compared."""
        return indexed_box(self.bottom_left, self.top_right)

    def holds(self, x: Numbers, y: Numbers) -> Flags:
        """Which points (longitudes, latitudes) lie in the area."""
        west, south, east, north = self.edges
        inside: Flags = (x >= west) & (x <= east) & (y >= south) & (y <= north)
        return inside


@dataclass(frozen=True, slots=True)
class Polygons:
    """All in any of several polygons."""

    polygons: tuple[Polygon, ...]

    def holds(self, x: Numbers, y: Numbers) -> Flags:
        """Which points (longitudes, latitudes) lie in the area."""
        inside: Flags = np.zeros(len(x), np.bool_)
        for polygon in self.polygons:
            inside |= contains_points(polygon, x, y)
        return inside


Area: TypeAlias = Circle | Box | Polygons
