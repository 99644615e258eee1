"""Checks shared by stages and operators; each raises `CallError` INVALID_STAGE naming the option."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.stages.spelling import Check, invalid

HALF_CHARACTER = re.compile("[\ud800-\udfff]")
"""A lone surrogate."""
MAX_INT32 = 2**31 - 1
MAX_FLOAT32 = (2 - 2**-23) * 2.0**127
LEAST_FLOAT32 = 2.0**-150
"""A positive number at or below it narrows to 0."""


def anything(value: Any, name: str) -> None:
    """Any value but None."""
    if value is None:
        raise _wrong(name, "None", "a value")


def text(value: Any, name: str) -> None:
    """A non-empty string that UTF-8 can hold."""
    if not isinstance(value, str) or not value:
        raise _wrong(name, _shown(value), "a non-empty string")
    if HALF_CHARACTER.search(value):
        raise _wrong(name, "a string with half a character", "text that UTF-8 can hold")


def word(value: Any, name: str) -> None:
    """The name of something, such as an index: a text without NUL."""
    text(value, name)
    if "\0" in value:
        raise _wrong(name, "a string with a NUL character", "a name without it")


def string(value: Any, name: str) -> None:
    """A string, be it empty."""
    if not isinstance(value, str):
        raise _wrong(name, _shown(value), "a string")


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
        raise _wrong(name, _shown(value), "true or false")


@dataclass(frozen=True, slots=True)
class integer:  # noqa: N801  reads as a function where it is used
    """A whole number within bounds, both inclusive; at most an int32. Reads an integral double as well."""

    low: int
    high: int = MAX_INT32

    def __call__(self, value: Any, name: str) -> None:
        if type(value) is not int and (not isinstance(value, int) or isinstance(value, bool)):
            raise _wrong(name, _shown(value), self._expected())
        if not self.low <= value <= self.high:
            raise _wrong(name, str(value), self._expected())

    def _expected(self) -> str:
        if self.high == MAX_INT32:
            return f"an integer of at least {self.low} that fits in 32 bits"
        return f"an integer from {self.low} to {self.high}"

    @staticmethod
    def reader(value: Any) -> Any:
        """An integral double as an integer, as the engine reads it; anything else as it is."""
        return int(value) if isinstance(value, float) and value.is_integer() else value


def number(accepts: Callable[[float], bool] = lambda _: True, expected: str = "a finite number") -> Check:
    """A finite number that `accepts` holds for."""

    def check(value: Any, name: str) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise _wrong(name, _shown(value), expected)
        if not accepts(value):
            raise _wrong(name, str(value), expected)

    return check


real = number()
positive = number(lambda value: value > 0, "a finite number above 0")
not_negative = number(lambda value: value >= 0, "a finite number, 0 or more")
unit = number(lambda value: 0 <= value <= 1, "a number from 0 to 1")
factor = number(lambda value: LEAST_FLOAT32 < value <= MAX_FLOAT32, "a number above 0 as a 32 bit float")
constant = number(lambda value: 0 <= value <= MAX_FLOAT32, "a number, 0 or more, that fits a 32 bit float")


def one_of(*names: str) -> Check:
    """One of a closed list of words."""

    def check(value: Any, name: str) -> None:
        if value not in names:
            raise _wrong(name, _shown(value), f"one of {', '.join(names)}")

    return check


def each(inner: Check) -> Check:
    """A non-empty tuple whose items `inner` accepts."""

    def check(value: Any, name: str) -> None:
        if not isinstance(value, tuple) or not value:
            raise _wrong(name, _shown(value), "a non-empty tuple")
        for position, item in enumerate(value):
            inner(item, f"{name}[{position}]")

    return check


def instance(*kinds: type) -> Check:
    """An instance of one of these classes."""

    def check(value: Any, name: str) -> None:
        if not isinstance(value, kinds):
            raise _wrong(name, _shown(value), " or ".join(kind.__name__ for kind in kinds))

    return check


def _wrong(name: str, given: str, expected: str) -> CallError:
    """The error for an option that is not as expected."""
    return invalid(f"{name} is {given}", expected, f"correct {name}")


def _shown(value: Any) -> str:
    """Numbers and booleans as they are, anything that may be text or a vector by its type only."""
    if value == "":
        return "an empty string"
    return repr(value) if isinstance(value, int | float | None) else f"a {type(value).__name__}"
