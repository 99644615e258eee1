"""Checks shared by stages and operators; each raises `CallError` INVALID_STAGE naming the option."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from atlas_rag.stages.spelling import Check, invalid


def text(value: Any, name: str) -> None:
    """A non-empty string."""
    if not isinstance(value, str) or not value:
        raise invalid(f"{name} is {_shown(value)}", "a non-empty string")


def texts(value: Any, name: str) -> None:
    """A non-empty string, or a non-empty tuple of them."""
    if isinstance(value, tuple) and value:
        for item in value:
            text(item, name)
    else:
        text(value, name)


def flag(value: Any, name: str) -> None:
    """True or False."""
    if not isinstance(value, bool):
        raise invalid(f"{name} is {_shown(value)}", "true or false")


def integer(low: int, high: int | None = None) -> Check:
    """A whole number within bounds, both inclusive."""
    expected = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"

    def check(value: Any, name: str) -> None:
        if type(value) is not int and (not isinstance(value, int) or isinstance(value, bool)):
            raise invalid(f"{name} is {_shown(value)}", expected)
        if value < low or (high is not None and value > high):
            raise invalid(f"{name} is {value}", expected)

    return check


def number(accepts: Callable[[float], bool] = lambda _: True, expected: str = "a finite number") -> Check:
    """A finite number that `accepts` holds for."""

    def check(value: Any, name: str) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise invalid(f"{name} is {_shown(value)}", expected)
        if not accepts(value):
            raise invalid(f"{name} is {value}", expected)

    return check


positive = number(lambda value: value > 0, "a finite number above 0")
not_negative = number(lambda value: value >= 0, "a finite number, 0 or more")
unit = number(lambda value: 0 <= value <= 1, "a number from 0 to 1")


def one_of(*names: str) -> Check:
    """One of a closed list of words."""

    def check(value: Any, name: str) -> None:
        if value not in names:
            raise invalid(f"{name} is {_shown(value)}", f"one of {', '.join(names)}")

    return check


def instance(*kinds: type) -> Check:
    """An instance of one of these classes."""

    def check(value: Any, name: str) -> None:
        if not isinstance(value, kinds):
            raise invalid(f"{name} is {_shown(value)}", " or ".join(kind.__name__ for kind in kinds))

    return check


def _shown(value: Any) -> str:
    """Numbers and booleans as they are, anything that may be text or a vector by its type only."""
    if value == "":
        return "an empty string"
    return repr(value) if isinstance(value, int | float | None) else f"a {type(value).__name__}"
