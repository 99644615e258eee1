"""The operand of each filter operator, read as what it has to be."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.query.values import Value, literal, text, type_name


def plain_path(path: Any) -> str:
    """The dotted field path as a plain str.

    Raises:
        CallError: INVALID_FILTER for what is no path.
    """
    if type(path) is str and path.isidentifier() and path.isascii():
        return path
    if not isinstance(path, str) or not path or "\0" in path:
        raise _invalid(f"A filter path is {path!r}", "a non-empty dotted field path")
    plain = text(path, "A filter path")
    if any(not part or part.startswith("$") for part in plain.split(".")):
        raise _invalid(
            f"The filter path {plain!r} has an empty or '$' component", "a plain dotted field path"
        )
    return plain


def unknown(what: str, name: object, known: Collection[str]) -> CallError:
    """The error for a name that is none of those known, with the one that was probably meant."""
    near = difflib.get_close_matches(str(name).lower(), known, n=1, cutoff=0.7)
    return CallError(
        f"Unknown {what}",
        expected=f"one of {', '.join(known)}",
        next_step=f"did you mean {near[0]!r}?" if near else "",
        code=Code.INVALID_FILTER,
    )


def members(values: Iterable[Value], path: str) -> tuple[Value, ...]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise _invalid(
            f"The values for {path!r} are one {type(values).__name__}", "a list or tuple of literals"
        )
    return tuple(values)


def _bound(value: Any, path: str, operator: str) -> Value:
    bound = literal(value, path)
    kind = type_name(bound)
    if kind in ("null", "bool"):
        raise _invalid(
            f"{operator!r} on {path!r} has a {kind} bound without order",
            "a number, string, datetime, ObjectId or UUID",
        )
    return bound


def _literals(values: Any, path: str, operator: str) -> tuple[Value, ...]:
    if not isinstance(values, tuple):
        raise _invalid(f"The values for {path!r} are not a tuple", "a tuple of literals")
    return tuple(literal(value, path) for value in values)


def _pattern(value: Any, path: str, operator: str) -> str:
    if not isinstance(value, str):
        raise _invalid(f"The pattern for {path!r} is not a string", "a str with % and _")
    return text(value, f"The pattern for {path!r}")


def _literal(value: Any, path: str, operator: str) -> Value:
    return literal(value, path)


def _nothing(value: Any, path: str, operator: str) -> None:
    if value is not None:
        raise _invalid(f"{operator!r} on {path!r} has a value", "no value: presence compares with none")


READERS: dict[str, Callable[[Any, str, str], Value | tuple[Value, ...]]] = {
    "eq": _literal,
    "ne": _literal,
    "gt": _bound,
    "gte": _bound,
    "lt": _bound,
    "lte": _bound,
    "in": _literals,
    "not_in": _literals,
    "like": _pattern,
    "exists": _nothing,
    "not_exists": _nothing,
}
"""Reads the value of each operator as what it has to be."""


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_FILTER)
