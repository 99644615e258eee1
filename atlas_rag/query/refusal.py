"""How a wrong option is told: what was given, what is expected, and the name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from atlas_rag.errors import CallError

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


def shown(value: Any) -> str:
    """A value as an error may show it: short and plain, or its type alone."""
    text = repr(value)
    if isinstance(value, SHOWN) and len(text) <= LONGEST_SHOWN:
        return text
    return f"a {type(value).__name__}"


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
