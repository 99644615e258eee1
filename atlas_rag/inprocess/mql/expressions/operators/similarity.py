"""`$similarityCosine`, `$similarityDotProduct`, `$similarityEuclidean` of two vectors, since release 8.3.

Source: the documentation of these operators. It names what is refused but no codes: those here are 2 for
vectors of different lengths and 14 for what is no vector.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bson.binary import VECTOR_SUBTYPE, Binary, BinaryVectorDtype

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import call, special
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.types import is_number

Vector = Sequence[float]
Measure = Callable[[Vector, Vector], float]


def _dot_product(left: Vector, right: Vector) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def _cosine(left: Vector, right: Vector) -> float:
    lengths = math.sqrt(_dot_product(left, left) * _dot_product(right, right))
    return _dot_product(left, right) / lengths if lengths else 0.0


def _half_shifted(value: float) -> float:
    return (1 + value) / 2


def _inverse(distance: float) -> float:
    return 1 / (1 + distance)


def _similarity(name: str, measure: Measure, score: Callable[[float], float]) -> None:
    def apply(left: Any, right: Any, normalized: bool) -> Any:
        if nullish(left) or nullish(right):
            return None
        first, second = _vector(name, left), _vector(name, right)
        if len(first) != len(second):
            raise CommandError(2, f"{name} requires vectors of equal length")
        raw = float(measure(first, second))
        return score(raw) if normalized else raw

    @special(name, release=(8, 3))
    def compile_call(argument: Any, scope: Scope) -> Evaluate:
        vectors, normalized = _arguments(name, argument)
        operands = [compile_expression(vector, scope) for vector in vectors]
        return call(lambda left, right: apply(left, right, normalized), operands)


def _arguments(name: str, argument: Any) -> tuple[list[Any], bool]:
    given = argument if isinstance(argument, Mapping) else {"vectors": argument}
    for key in given:
        if key not in ("vectors", "score"):
            raise CommandError(40415, f"BSON field '{name}.{key}' is an unknown field.")
    vectors, normalized = given.get("vectors"), given.get("score", False)
    if not isinstance(vectors, list) or len(vectors) != 2:
        raise CommandError(16020, f"Expression {name} takes exactly 2 vectors.")
    if not isinstance(normalized, bool):
        text = f"is the wrong type '{type_name(normalized)}', expected type 'bool'"
        raise CommandError(14, f"BSON field '{name}.score' {text}")
    return vectors, normalized


def _vector(name: str, value: Any) -> Vector:
    if isinstance(value, list) and all(map(is_number, value)):
        return [to_float(item) for item in value]
    if isinstance(value, Binary) and value.subtype == VECTOR_SUBTYPE:
        vector = value.as_vector()
        if vector.dtype is not BinaryVectorDtype.PACKED_BIT:
            return [float(item) for item in vector.data]
    raise CommandError(14, f"{name} requires arrays of numbers or numeric vectors, not {type_name(value)}")


_similarity("$similarityDotProduct", _dot_product, _half_shifted)
_similarity("$similarityCosine", _cosine, _half_shifted)
_similarity("$similarityEuclidean", math.dist, _inverse)
