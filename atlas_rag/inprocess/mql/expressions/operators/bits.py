"""`$bitAnd`, `$bitOr`, `$bitXor`, `$bitNot` of ints and longs, since release 6.3.

Source: the documentation of these operators; a null or missing operand makes the result null, of no operands
it is the neutral one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import and_, or_, xor
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.define import operator
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import integer, is_long

_RELEASE = (6, 3)


def _bits(name: str, value: Any) -> int:
    if type_name(value) not in ("int", "long"):
        raise CommandError(14, f"{name} only supports int and long operands.")
    return int(value)


def _combination(name: str, combine: Callable[[int, int], int], neutral: int) -> None:
    def apply(values: Iterator[Any]) -> Any:
        result, long = neutral, False
        for value in values:
            if nullish(value):
                return None
            result, long = combine(result, _bits(name, value)), long or is_long(value)
        return integer(result, long=long)

    operator(name, 0, -1, release=_RELEASE, lazy=True)(apply)


_combination("$bitAnd", and_, -1)
_combination("$bitOr", or_, 0)
_combination("$bitXor", xor, 0)


@operator("$bitNot", release=_RELEASE)
def complement(value: Any) -> Any:
    """All bits the other way round."""
    return None if nullish(value) else integer(~_bits("$bitNot", value), long=is_long(value))
