"""Query vectors: arrays of numbers, or BSON binary vectors (subtype 9) of float32, int8 or packed bits."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from operator import countOf
from typing import Any, Final

from atlas_rag.grammar.kit import binary_subtype, is_array, is_number, type_name
from atlas_rag.grammar.kit.bson_types import VECTOR_SUBTYPE
from atlas_rag.grammar.problem import At, Found, bare_problem, problem

FLOAT32: Final = 0x27
INT8: Final = 0x03
PACKED_BIT: Final = 0x10

_HEADER_BYTES: Final = 2
_PADDING_BITS: Final = 0x07
_FLOAT_BYTES: Final = 4
_OVERFLOWS_FLOAT32: Final = 3.4028235677973366e38  # halfway between the largest float32 and 2**128


class QueryVector:
    """The form of a vector; its values are judged by `check_finite`, when everything else was read."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_array(value):
            if countOf(map(type, value), float) < len(value):
                _check_numbers(value, at, found)
        elif binary_subtype(value) is not None:
            complaint = _binary_complaint(value)
            if complaint is not None:
                found.append(bare_problem(at, complaint, "vector"))
        else:
            found.append(problem(at, "Unexpected type found when parsing vector", "type"))


def _check_numbers(vector: Sequence[Any], at: At, found: Found) -> None:
    for index, item in enumerate(vector):
        if not is_number(item):
            text = f"Unsupported BsonValue type: {type_name(item)}"
            found.append(bare_problem((at, index), text, "type"))


def _binary_complaint(value: Any) -> str | None:
    subtype = binary_subtype(value)
    if subtype != VECTOR_SUBTYPE:
        signed = subtype if subtype is None or subtype < 128 else subtype - 256
        return f"BSON binary subtype should be vector(0x09) but got {signed}"
    if len(value) < _HEADER_BYTES:
        return f"Expected at least 2 bytes in BSON vector but got {len(value)}"
    if value[0] not in (FLOAT32, INT8, PACKED_BIT):
        return "Unsupported vector subtype found"
    return "Padding should be zero" if value[1] & _PADDING_BITS else None


def check_finite(vector: Any, at: At, found: Found) -> None:
    """Every value of a sound vector must be finite as a float32."""
    values = vector if is_array(vector) else _floats(vector)
    if math.hypot(*values) < _OVERFLOWS_FLOAT32:  # no shorter than its longest component
        return
    for index, value in enumerate(values):
        if not abs(value) < _OVERFLOWS_FLOAT32:
            text = (
                f"'queryVector' contains a non-finite value (Infinity or NaN) at position [{index}]. "
                'All values in "queryVector" must be finite.'
            )
            found.append(problem(at, text, "finite"))
            return


def _floats(vector: bytes) -> Sequence[float]:
    """The values of a binary vector of floats; trailing bytes that make no float are ignored."""
    if vector[0] != FLOAT32:
        return ()
    count = (len(vector) - _HEADER_BYTES) // _FLOAT_BYTES
    return struct.unpack_from(f"<{count}f", vector, _HEADER_BYTES)


QUERY_VECTOR: Final = QueryVector()
