"""Preferred numbers, to which `$bucketAuto` rounds its bounds: Renard's series, E series, 1-2-5, powers of 2.

Sources: ISO 3 (R series) and IEC 60063 (E series). A series is one decade; it goes on in both directions by
powers of ten, as the decade's doubles are multiplied by them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from bson import Decimal128

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import (
    DECIMAL,
    double_to_decimal,
    from_decimal,
    integer,
    is_nan,
    to_decimal,
    to_float,
)
from atlas_rag.inprocess.mql.values.types import is_number


class Granularity(NamedTuple):
    """How bounds are rounded: to the next number above, and below; 0 stays itself."""

    up: Callable[[Any], Any]
    down: Callable[[Any], Any]

    def between(self, last: Any, following: Any) -> Any:
        """Returns the bound between the last value of a bucket and the first behind it."""
        return self.up(last) if to_decimal(last) else self.down(following)


def granularity(name: Any) -> Granularity:
    """Returns a granularity by its name. Raises 40257, 40261."""
    if not isinstance(name, str):
        text = f"must be a string, but found type: {type_name(name)}"
        raise CommandError(40261, f"The $bucketAuto 'granularity' field {text}")
    if name == "POWERSOF2":
        return Granularity(lambda value: _power(value, up=True), lambda value: _power(value, up=False))
    if name not in _SERIES:
        raise CommandError(40257, f"Unknown rounding granularity '{name}'")
    decade = _SERIES[name]
    return Granularity(lambda value: _above(decade, value), lambda value: _below(decade, value))


def check_value(value: Any) -> Any:
    """Returns a value that can be rounded. Raises 40258 to 40260."""
    subject = "$bucketAuto can specify a 'granularity' with"
    if not is_number(value):
        text = f"numeric boundaries only, but found a value with type: {type_name(value)}"
        raise CommandError(40258, f"{subject} {text}")
    if is_nan(value):
        raise CommandError(40259, f"{subject} numeric boundaries only, but found a NaN")
    if to_decimal(value) < 0:
        raise CommandError(40260, f"{subject} non-negative numbers only, but found a negative number")
    return value


def _above(decade: list[float], value: Any) -> Any:
    """Returns the least number of a series that is greater."""
    return _neighbour(decade, value, lambda number, given: number > given, min)


def _below(decade: list[float], value: Any) -> Any:
    """Returns the greatest number of a series that is less."""
    return _neighbour(decade, value, lambda number, given: number < given, max)


def _neighbour(
    decade: list[float], value: Any, fits: Callable[[Any, Any], bool], choose: Callable[..., Any]
) -> Any:
    given = to_decimal(value) if isinstance(value, Decimal128) else to_float(value)
    if given == 0 or not math.isfinite(given):
        return value
    near = math.floor(math.log10(given)) - math.floor(math.log10(decade[0]))
    if isinstance(given, Decimal):
        scales = [DECIMAL.power(Decimal(10), exponent) for exponent in (near - 1, near, near + 1)]
        numbers: Any = [
            DECIMAL.multiply(double_to_decimal(number), scale) for scale in scales for number in decade
        ]
        return from_decimal(choose(number for number in numbers if fits(number, given)))
    numbers = [number * _scale(exponent) for exponent in (near - 1, near, near + 1) for number in decade]
    return choose(number for number in numbers if fits(number, given))


@lru_cache(maxsize=1024)
def _scale(exponent: int) -> float:
    """Returns a power of ten as the server comes to it, step by step and so not always exactly."""
    scale = 1.0
    for _ in range(abs(exponent)):
        scale = scale * 10.0 if exponent > 0 else scale / 10.0
    return scale


def _power(value: Any, *, up: bool) -> Any:
    """Returns the next power of two: an integer unless it is below 1, for a decimal one of 34 digits."""
    given = to_float(value)
    if given == 0 or not math.isfinite(given):
        return value
    if isinstance(value, int):
        exponent, is_power = value.bit_length(), value & (value - 1) == 0
    else:
        fraction, exponent = math.frexp(given)  # the fraction is in [0.5, 1): one half makes a power
        is_power = fraction == 0.5
    if not up:
        exponent -= 2 if is_power else 1
    if isinstance(value, Decimal128):
        power = DECIMAL.power(Decimal(2), exponent)
        return from_decimal(power.quantize(Decimal((0, (1,), power.adjusted() - 33)), context=DECIMAL))
    return integer(2**exponent) if 0 <= exponent < 63 else 2.0**exponent


def _geometric(count: int) -> list[float]:
    """Returns the E series of three digits, with the one number of IEC 60063 that is no rounded power."""
    numbers = [float(round(100 * 10 ** (step / count))) for step in range(count)]
    return [920.0 if number == 919.0 else number for number in numbers]


def _read(text: str) -> list[float]:
    return [float(number) for number in text.split()]


_E24 = _read("10 11 12 13 15 16 18 20 22 24 27 30 33 36 39 43 47 51 56 62 68 75 82 91")
_R40 = _read(
    "100 106 112 118 125 132 140 150 160 170 180 190 200 212 224 236 250 265 280 300 315 335 355 375 400 425 "
    "450 475 500 530 560 600 630 670 710 750 800 850 900 950"
)
# Of R80 the server has only what R40 lacks, with 575 where ISO 3 has 580, and it leaves 335 out of R40.
# Source: measured on a server of release 6.0.5, as all the series here.
_R80 = _read(
    "103 109 115 122 128 136 145 155 165 175 185 195 206 218 230 243 258 272 290 307 325 345 365 387 412 437 "
    "462 487 515 545 575 615 650 690 730 775 825 875 925 975"
)
_SERIES: dict[str, list[float]] = {
    "R5": _read("10 16 25 40 63"),
    "R10": _R40[::4],
    "R20": _R40[::2],
    "R40": [number for number in _R40 if number != 335],
    "R80": _R80,
    "1-2-5": _read("10 20 50"),
    "E6": _E24[::4],
    "E12": _E24[::2],
    "E24": _E24,
    "E48": _geometric(48),
    "E96": _geometric(96),
    "E192": _geometric(192),
}
