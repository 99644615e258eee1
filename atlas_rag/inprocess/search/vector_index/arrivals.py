"""Vectors on their way into a column: written, but not asked for yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.values import Kind

_NUMBERS: dict[Kind, Any] = {"float": np.dtype("<f4"), "byte": np.dtype("i1"), "bit": np.dtype("u1")}
_BLOCK = 1024  # rows looked at together


class Arrivals:
    """Vectors of one kind and length, and the document rows that own them.

    Whether a list of numbers has booleans among them, and so is no vector, cannot be seen from the packed
    numbers. Looking costs half as much as packing, unless it is done for all lists together.

    Attributes:
        owners: the document row of each vector.
    """

    def __init__(self, kind: Kind) -> None:
        self._kind: Kind = kind
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        self._data = bytearray()
        self.owners: list[int] = []
        self._spelled: list[list[Any] | None] = []

    def add(self, owner: int, data: bytes, spelled: list[Any] | None = None) -> None:
        """Takes a vector.

        Args:
            data: packed, of the right length.
            spelled: the list that was packed, where it may hold booleans; not to be changed until `take`.
        """
        self._data += data
        self.owners.append(owner)
        self._spelled.append(spelled)

    def take(self) -> tuple[Array, Array]:
        """Returns all vectors as rows of numbers, and their owners, and forgets them."""
        block: Array = np.frombuffer(self._data, _NUMBERS[self._kind]).reshape(len(self.owners), -1)
        owners = np.array(self.owners, np.int32)
        if self._kind == "float":
            no_vectors = self._with_booleans(block)
            if no_vectors:
                block, owners = np.delete(block, no_vectors, axis=0), np.delete(owners, no_vectors)
        self.clear()
        return block, owners

    def _with_booleans(self, block: Array) -> list[int]:
        """Positions of the lists that hold booleans, which were packed as 1 and 0."""
        found: list[int] = []
        for start in range(0, len(block), _BLOCK):
            part = block[start : start + _BLOCK]
            suspects = start + ((part == 0) | (part == 1)).any(axis=1).nonzero()[0]
            found += [at for at in suspects.tolist() if bool in map(type, self._spelled[at] or ())]
        return found
