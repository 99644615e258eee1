"""How a wrong option is told: what was given, what is expected, and the name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from pydantic import ValidationError

from atlas_rag.errors import AtlasRagError, CallError

Owner = TypeVar("Owner")
Answer = TypeVar("Answer")
SHOWN = (bool, int, float, str, type(None))
LONGEST_SHOWN = 60


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name that this one was probably meant to be, or None."""
    close = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.6)
    return close[0] if close else None


def unknown_name(what: str, name: object, known: Iterable[str], *, hint: str | None = None) -> CallError:
    """The error for a name that is not known.

    Args:
        what: what the name is of, such as "option". hint: the right name where it is known better.
    """
    names = list(known)
    meant = hint or nearest(name, names)
    return CallError(
        f"There is no {what} {name!r}",
        expected=f"one of {', '.join(names)}",
        next_step=f"did you mean {meant!r}?" if meant else f"correct the name of the {what}",
    )


def refusal(
    error: ValidationError, what: str, known: Iterable[str], *, hints: dict[str, str]
) -> AtlasRagError:
    """The first problem of a model's validation; an error of this library's own comes out as it is.

    Args:
        what: what each field is, such as "option". known: their names.
        hints: names from elsewhere and what they are called here.
    """
    for problem in error.errors(include_url=False):
        inner = problem.get("ctx", {}).get("error")
        if isinstance(inner, AtlasRagError):
            return inner
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"] if isinstance(part, (str, int))) or what
    if first["type"] == "extra_forbidden":
        return unknown_name(what, name, known, hint=hints.get(name))
    expected = first["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return CallError(
        f"The {what} {name!r} is {shown(first['input'])}",
        expected=expected,
        next_step=_meant(first) or f"correct {name}",
    )


def shown(value: Any) -> str:
    """A value as an error may show it: short and plain, or its type alone."""
    text = repr(value)
    if isinstance(value, SHOWN) and len(text) <= LONGEST_SHOWN:
        return text
    return f"a {type(value).__name__}"


def _meant(problem: Any) -> str | None:
    """The literal that was probably meant, for a value that is one of a few words."""
    expected = problem.get("ctx", {}).get("expected")
    words = [part.strip(" '") for part in str(expected).replace(" or ", ",").split(",")] if expected else []
    meant = nearest(problem["input"], words)
    return f"did you mean {meant!r}?" if meant else None


def known_names(owner: type[Owner]) -> type[Owner]:
    """Lets a class answer an unknown argument as everything here does: with the name that was meant.

    Raises:
        CallError: INVALID_OPTION, from the constructor.
    """
    owner.__init__ = known_arguments(owner.__init__, owner.__name__)  # type: ignore[method-assign]
    return owner


def known_arguments(function: Callable[..., Answer], name: str) -> Callable[..., Answer]:
    """The function, telling of an argument that it does not have which one was probably meant.

    Args:
        name: what the function is called in the error.

    Raises:
        CallError: INVALID_OPTION, when it is called.
    """
    names = [one for one in signature(function).parameters if one not in ("self", "cls")]

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Answer:
        unknown = next((one for one in kwargs if one not in names), None)
        if unknown is not None:
            raise unknown_name(f"argument of {name}", unknown, names)
        return function(*args, **kwargs)

    return checked
