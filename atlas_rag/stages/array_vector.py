"""A query vector as an array of numbers, for what cannot take BinData."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.stages.spelling import WireModel
from atlas_rag.stages.vector import Vector, as_vector


class ArrayVector(WireModel):
    """A query vector that is sent as an array of numbers; `as_vector` is smaller and faster.

    Args:
        numbers: 1…8192 finite float32 numbers, sent as they are.

    Raises:
        CallError: INVALID_VECTOR, as `as_vector`.
    """

    def __init__(self, numbers: Sequence[float]) -> None:
        self.numbers = tuple(numbers)
        as_vector(self.numbers)
        if bool in map(type, self.numbers):
            raise CallError("The query vector holds a bool", expected="numbers", code=Code.INVALID_VECTOR)

    def nested(self) -> list[float]:
        return list(self.numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArrayVector) and self.numbers == other.numbers

    def __hash__(self) -> int:
        return hash(self.numbers)

    def __repr__(self) -> str:
        return f"ArrayVector({len(self.numbers)} dimensions)"


def read_vector(value: Any) -> Vector | ArrayVector:
    """Reads both wire forms of a query vector, each as what it is."""
    return ArrayVector(value) if isinstance(value, list) else as_vector(value)
