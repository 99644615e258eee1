"""Trigonometric functions of decimals, to the 34 digits that a decimal has.

Formula: power series after a reduction of the argument, with 26 digits to spare; what has a closed form in
exponentials or logarithms uses it. The server's own library errs by up to two units of the 34th digit, so
the last digit of a result may differ from it.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal, localcontext
from functools import wraps

_DIGITS = 60
_FULL = Context(prec=34, traps=[])
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803")
_Function = Callable[[Decimal], Decimal]


def _precise(function: _Function) -> _Function:
    """Runs a function with digits to spare, also for what an argument's magnitude takes away."""

    @wraps(function)
    def compute(value: Decimal) -> Decimal:
        if value.is_nan():
            return value
        digits = _DIGITS + max(value.adjusted(), 0) if value.is_finite() else _DIGITS
        with localcontext(Context(prec=digits, traps=[])):
            return function(value)

    return compute


def _series(term: Decimal, factor: Callable[[int], Decimal]) -> Decimal:
    """Returns the sum of a series, each term the last one times a factor, until nothing changes."""
    total, step = term, 0
    while True:
        step += 1
        term *= factor(step)
        if total + term == total:
            return total
        total += term


def _reduced(value: Decimal) -> Decimal:
    """Returns an angle within half a turn around zero."""
    turns: Decimal = (value / (2 * PI)).to_integral_value()
    return value - turns * 2 * PI


@_precise
def sine(value: Decimal) -> Decimal:
    """Sine of an angle in radians."""
    angle = _reduced(value)
    return _series(angle, lambda step: -angle * angle / ((2 * step) * (2 * step + 1)))


@_precise
def cosine(value: Decimal) -> Decimal:
    """Cosine of an angle in radians."""
    angle = _reduced(value)
    return _series(Decimal(1), lambda step: -angle * angle / ((2 * step - 1) * (2 * step)))


@_precise
def tangent(value: Decimal) -> Decimal:
    """Tangent of an angle in radians."""
    return sine(value) / cosine(value)


@_precise
def arc_tangent(value: Decimal) -> Decimal:
    """Angle of a slope."""
    if value.is_infinite():
        return (PI / 2).copy_sign(value)
    halvings = 3
    for _ in range(halvings):  # atan(x) = 2 atan(x / (1 + sqrt(1 + x²)))
        value = value / (1 + (1 + value * value).sqrt())
    powers, total, sign = value, Decimal(0), 1
    for step in range(1, 2 * _DIGITS, 2):
        total += sign * powers / step
        powers, sign = powers * value * value, -sign
    return total * Decimal(2**halvings)


@_precise
def arc_sine(value: Decimal) -> Decimal:
    """Angle of a sine within [-1, 1]."""
    if abs(value) == 1:
        return (PI / 2).copy_sign(value)
    return arc_tangent(value / ((1 - value) * (1 + value)).sqrt())


@_precise
def arc_cosine(value: Decimal) -> Decimal:
    """Angle of a cosine within [-1, 1]."""
    return PI / 2 - arc_sine(value)


@_precise
def hyperbolic_sine(value: Decimal) -> Decimal:
    """(e^x - e^-x) / 2."""
    return (value.exp() - (-value).exp()) / 2


@_precise
def hyperbolic_cosine(value: Decimal) -> Decimal:
    """(e^x + e^-x) / 2."""
    return (value.exp() + (-value).exp()) / 2


@_precise
def hyperbolic_tangent(value: Decimal) -> Decimal:
    """Hyperbolic sine over cosine."""
    if abs(value) > _DIGITS * 2:
        return Decimal(1).copy_sign(value)
    return hyperbolic_sine(value) / hyperbolic_cosine(value)


@_precise
def inverse_hyperbolic_sine(value: Decimal) -> Decimal:
    """ln(x + sqrt(x² + 1))."""
    size = abs(value)
    return (size + (size * size + 1).sqrt()).ln().copy_sign(value) if size else value


@_precise
def inverse_hyperbolic_cosine(value: Decimal) -> Decimal:
    """ln(x + sqrt(x² - 1)) for x >= 1."""
    return (value + (value * value - 1).sqrt()).ln()


@_precise
def inverse_hyperbolic_tangent(value: Decimal) -> Decimal:
    """ln((1 + x) / (1 - x)) / 2 within [-1, 1]."""
    if abs(value) == 1:
        return Decimal("Infinity").copy_sign(value)
    return ((1 + value) / (1 - value)).ln() / 2


def arc_tangent_of(opposite: Decimal, adjacent: Decimal) -> Decimal:
    """Angle of a point, in (-π, π]."""
    if opposite.is_nan() or adjacent.is_nan():
        return Decimal("NaN")
    with localcontext(Context(prec=_DIGITS)):
        if adjacent.is_zero():
            return _zero(opposite, _LEAST_EXPONENT) if opposite.is_zero() else (PI / 2).copy_sign(opposite)
        if opposite.is_zero() and adjacent > 0:
            return _zero(opposite, _LEAST_EXPONENT)
        angle = arc_tangent(opposite / adjacent)
        return angle if adjacent > 0 else angle + PI.copy_sign(opposite)


NAMED: dict[str, _Function] = {
    "sin": sine,
    "cos": cosine,
    "tan": tangent,
    "asin": arc_sine,
    "acos": arc_cosine,
    "atan": arc_tangent,
    "sinh": hyperbolic_sine,
    "cosh": hyperbolic_cosine,
    "tanh": hyperbolic_tangent,
    "asinh": inverse_hyperbolic_sine,
    "acosh": inverse_hyperbolic_cosine,
    "atanh": inverse_hyperbolic_tangent,
}
# The zero that a function makes of zero: its own, some digits further down; the others make the least zero.
_ZERO_SHIFTS = {"sin": 0, "atan": 0, "tanh": 0, "tan": -40, "asin": -40, "sinh": -40}
_LEAST_EXPONENT = -6176
_FULL_RESULTS = frozenset({"cos", "cosh", "acos"})


def computed(name: str, value: Decimal) -> Decimal:
    """Returns the function `name` of a value, zeros and exact results with as many digits as the server's."""
    if value.is_zero() and name not in _FULL_RESULTS:
        moved = int(value.as_tuple().exponent) + _ZERO_SHIFTS.get(name, 0)
        return _zero(value, moved if name in _ZERO_SHIFTS else _LEAST_EXPONENT)
    result = NAMED[name](value)
    return full(result) if name in _FULL_RESULTS else result


def full(value: Decimal) -> Decimal:
    """Returns a result with all 34 digits, also where fewer are exact."""
    if value.is_zero():
        return _zero(value, _LEAST_EXPONENT)
    if not value.is_finite():
        return value
    exponent = max(value.adjusted() - 33, _LEAST_EXPONENT)
    return value.quantize(Decimal((0, (1,), exponent)), context=_FULL)


def _zero(signed: Decimal, exponent: int) -> Decimal:
    return Decimal((int(signed.is_signed()), (0,), max(exponent, _LEAST_EXPONENT)))
