"""Operators whose argument is a document of named arguments, and the order in which that is read.

Most operators take the names as they stand and compile each at once: the first that is wrong is refused.
The others look at all names first. Refusals are pairs of a code and a text in which `{}` is for the name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name

Refusal = tuple[int, str]


def named(argument: Any, code: int, text: str) -> Mapping[str, Any]:
    """Returns an argument that must be a document; in the text `{}` is for the type it has instead."""
    if not isinstance(argument, Mapping):
        raise CommandError(code, text.format(type_name(argument)))
    return argument


def check_names(given: Mapping[str, Any], known: Iterable[str], unknown: Refusal) -> None:
    """Refuses the first name that is not known."""
    names = frozenset(known)
    for name in given:
        if name not in names:
            raise CommandError(unknown[0], unknown[1].format(name))


def require(given: Mapping[str, Any], text: str, codes: Mapping[str, int]) -> None:
    """Refuses the first name that is missing, in the order of the codes."""
    for name, code in codes.items():
        if name not in given:
            raise CommandError(code, text.format(name))


def compile_in_order(
    given: Mapping[str, Any], known: Iterable[str], unknown: Refusal, scope: Scope
) -> dict[str, Evaluate]:
    """Compiles the arguments in the order in which they stand."""
    return read_in_order(given, dict.fromkeys(known, lambda value: compile_expression(value, scope)), unknown)


def read_in_order(
    given: Mapping[str, Any], readers: Mapping[str, Callable[[Any], Any]], unknown: Refusal
) -> dict[str, Any]:
    """Reads the arguments in the order in which they stand, each with the reader of its name."""
    read = {}
    for name, value in given.items():
        if name not in readers:
            raise CommandError(unknown[0], unknown[1].format(name))
        read[name] = readers[name](value)
    return read


def compile_named(
    given: Mapping[str, Any], names: Iterable[str], scope: Scope, **defaults: Any
) -> dict[str, Evaluate]:
    """Compiles arguments in the order of the names, whatever the order in which they stand.

    Args:
        defaults: the values of arguments that are not given; null where it says nothing.
    """
    return {
        name: compile_expression(given[name], scope) if name in given else Constant(defaults.get(name))
        for name in names
    }
