"""Where an indexed point lies, and how far away: positions on Lucene's grid, distances on its sphere.

Source: Lucene's GeoEncodingUtils (32 bits a coordinate) and SloppyMath.haversinMeters.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

EARTH_RADIUS = 6_371_008.7714
"""Mean radius in metres."""

Degrees = NDArray[np.float64]
_LATITUDE_STEP = 180.0 / 2**32
_LONGITUDE_STEP = 360.0 / 2**32


def indexed_longitude(degrees: float) -> float:
    """The longitude that an index keeps of one given: the next grid line to the west."""
    return _on_grid(degrees, _LONGITUDE_STEP)


def indexed_latitude(degrees: float) -> float:
    """The latitude that an index keeps of one given: the next grid line to the south."""
    return _on_grid(degrees, _LATITUDE_STEP)


def _on_grid(degrees: float, step: float) -> float:
    # The uppermost edge has no line of its own.
    return min(math.floor(degrees / step), 2**31 - 1) * step


def distances(longitudes: Degrees, latitudes: Degrees, longitude: float, latitude: float) -> Degrees:
    """Metres from one position to many, along the surface."""
    phi, other = np.radians(latitude), np.radians(latitudes)
    turned = 1 - np.cos(other - phi)
    turned = turned + np.cos(phi) * np.cos(other) * (1 - np.cos(np.radians(longitudes - longitude)))
    coarse = (turned.view(np.int64) & ~np.int64(7)).view(np.float64)  # Lucene drops three bits to keep ties
    metres: Degrees = EARTH_RADIUS * 2 * np.arcsin(np.minimum(1.0, np.sqrt(coarse * 0.5)))
    return metres


def indexed_box(low: tuple[float, float], high: tuple[float, float]) -> tuple[float, float, float, float]:
    """West, south, east and north of the grid lines between two corners (longitude, latitude)."""
    west, south = _ceiling(low[0], _LONGITUDE_STEP), _ceiling(low[1], _LATITUDE_STEP)
    return west, south, indexed_longitude(high[0]), indexed_latitude(high[1])


def _ceiling(degrees: float, step: float) -> float:
    return min(math.ceil(degrees / step), 2**31 - 1) * step
