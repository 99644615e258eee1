"""Query vectors: exact bytes, hidden numbers, clear refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag import CallError, Code, as_vector

NUMBERS = [0.5, -1.25, 3.0]


@pytest.mark.parametrize(
    "value",
    [
        NUMBERS,
        tuple(NUMBERS),
        np.array(NUMBERS),
        np.array(NUMBERS, dtype="f4"),
        Binary.from_vector(NUMBERS, BinaryVectorDtype.FLOAT32),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_form_gives_the_drivers_own_bytes(value: Any) -> None:
    vector = as_vector(value)
    assert bytes(vector) == bytes(Binary.from_vector(NUMBERS, BinaryVectorDtype.FLOAT32))
    assert (vector.subtype, vector.dtype, vector.dimensions) == (9, "float32", 3)


@pytest.mark.parametrize("dtype", [BinaryVectorDtype.INT8, BinaryVectorDtype.PACKED_BIT])
def test_other_dtypes_pass_as_they_are(dtype: BinaryVectorDtype) -> None:
    binary = Binary.from_vector([1, 2, 3], dtype)
    assert bytes(as_vector(binary)) == bytes(binary)
    assert as_vector(binary).dimensions == (24 if dtype is BinaryVectorDtype.PACKED_BIT else 3)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ([], "0 numbers"),
        ([1.0, float("nan")], "position 1"),
        ([float("inf")], "position 0"),
        ([1e39], "position 0"),
        (np.array([1e39]), "position 0"),
        (np.array([np.nan]), "position 0"),
        ([[1.0]], "not a number"),
        (["a"], "not a number"),
        ("abc", "a str"),
        (np.zeros((2, 2)), "shape"),
        (np.array(["a"]), "numpy array"),
        ([0.0] * 8193, "8193"),
        (Binary(b"abc", 0), "subtype 0"),
        (Binary(b"\x27\x00\x00", 9), "ragged"),
    ],
)
def test_what_is_no_vector_is_refused_without_showing_it(value: Any, says: str) -> None:
    with pytest.raises(CallError, match=says) as caught:
        as_vector(value)
    assert caught.value.code is Code.INVALID_VECTOR


def test_a_vector_never_shows_its_numbers() -> None:
    vector = as_vector([123456.0, 1.0])
    assert repr(vector) == str(vector) == f"{vector}" == "Vector(float32, 2 dimensions)"


def test_large_finite_numbers_are_allowed_where_their_sum_is_not_finite() -> None:
    assert as_vector([3e38, 3e38]).dimensions == 2
