"""Legacy points: pairs of numbers, as an array or as the first two fields of a document."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.types import is_number

Position = tuple[float, float]


def is_legacy(value: Any) -> bool:
    """True for what is read as a legacy point, whether it is a sound one or not."""
    return isinstance(value, list) or (
        isinstance(value, Mapping) and is_number(next(iter(value.values()), None))
    )


def stored_point(value: Any) -> Position | None:
    """Returns the legacy point that a document holds, None if it is none. Further numbers are passed over."""
    pair = list(value.values()) if isinstance(value, Mapping) else value
    if not isinstance(pair, list) or len(pair) < 2 or not all(map(is_number, pair[:2])):
        return None
    return to_float(pair[0]), to_float(pair[1])


def given_point(value: Any, *, more: bool = False) -> Position:
    """Returns a point of a query, in GeoJSON with `more` than two elements. Raises code 2."""
    if not isinstance(value, (list, Mapping)):
        raise CommandError(BAD_VALUE, "Point must be an array or object")
    numbers = list(value.values()) if isinstance(value, Mapping) else value
    if len(numbers) < 2 or not all(map(is_number, numbers[:2])):
        raise CommandError(BAD_VALUE, "Point must only contain numeric elements")
    if len(numbers) > 2 and not more:
        raise CommandError(BAD_VALUE, "Point must only contain two numeric elements")
    point = to_float(numbers[0]), to_float(numbers[1])
    if not all(map(math.isfinite, point)):
        raise CommandError(BAD_VALUE, "Point coordinates must be finite numbers")
    return point


def is_on_globe(position: Position) -> bool:
    """True if both are degrees of longitude and latitude."""
    return abs(position[0]) <= 180 and abs(position[1]) <= 90


def check_on_globe(position: Position) -> Position:
    """Returns a position on the globe. Raises code 2."""
    if not is_on_globe(position):
        longitude, latitude = (f"{degrees:g}" for degrees in position)
        text = f"longitude/latitude is out of bounds, lng: {longitude} lat: {latitude}"
        raise CommandError(BAD_VALUE, text)
    return position
