"""The vectors at one path of an index's documents."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.rows import Quantization, VectorRows
from atlas_rag.inprocess.search.vector_index.similarity import Similarity
from atlas_rag.inprocess.search.vector_index.values import (
    Kind,
    Vector,
    first_vector,
    float_packer,
    read_vector,
)

_NUMBERS: dict[Kind, Any] = {"float": np.dtype("<f4"), "byte": np.dtype("i1")}


class VectorColumn:
    """At most one vector per document row, the kinds (float, byte, bit) kept apart as the engine keeps them.

    A question of one kind never meets vectors of another: it finds nothing, without an error.

    Args:
        dimensions: numbers (or bits) per vector, 1 to 8192.
        similarity: "cosine", "dotProduct" or "euclidean".
        quantization: "none", "scalar" or "binary".
        arrays: whether the first vector inside an array counts (a vector index) or none (a search index).
        lossy: whether approximate questions may miss hits, see `loss`.
    """

    def __init__(
        self,
        dimensions: int,
        similarity: Similarity,
        quantization: Quantization = "none",
        *,
        arrays: bool = True,
        lossy: bool = False,
    ) -> None:
        self.dimensions = dimensions
        self.similarity: Similarity = similarity
        self._quantization: Quantization = quantization
        self._arrays = arrays
        self._lossy = lossy
        self._packer = float_packer(dimensions)
        self._floats = self._new_rows("float")
        self._others: dict[Kind, VectorRows] = {}

    def put(self, row: int, value: Any) -> None:
        """Indexes what a document holds at the path, if the engine would; rows come in ascending order."""
        if type(value) is list and len(value) == self.dimensions:
            try:
                self._floats.add(row, self._packer.pack(*value), value)
                return
            except (struct.error, OverflowError):
                pass
        vector = first_vector(value) if self._arrays else read_vector(value)
        if vector is not None and vector.dimensions == self.dimensions and self._indexes(vector.kind):
            self.rows_of(vector.kind).add(row, vector.data)

    def rows_of(self, kind: Kind) -> VectorRows:
        """The rows of one kind, perhaps none."""
        if kind == "float":
            return self._floats
        return self._others.setdefault(kind, self._new_rows(kind))

    def prepared(self, query: Vector) -> Array:
        """The array to ask `rows_of(query.kind)` with.

        Raises:
            EngineRefusal: wrong dimensions, no length where angles are measured, or bits without euclidean.
        """
        if query.dimensions != self.dimensions:
            indexed, queried = self.dimensions, query.dimensions
            raise EngineRefusal(
                f"vector field is indexed with {indexed} dimensions but queried with {queried}"
            )
        if query.kind == "bit":
            if self.similarity != "euclidean":
                raise EngineRefusal(
                    f"binary vectors need euclidean similarity, but the field uses {self.similarity}"
                )
            return np.frombuffer(query.data, np.uint8)
        numbers = np.frombuffer(query.data, _NUMBERS[query.kind]).astype(np.float32, copy=False)
        if self.similarity == "cosine" and not np.count_nonzero(numbers):
            raise EngineRefusal("Cosine similarity cannot be calculated against a zero vector.")
        return numbers

    def search(
        self,
        query: Vector,
        count: int,
        *,
        allowed: Array | None = None,
        candidates: int | None = None,
        places: Array | None = None,
    ) -> tuple[Array, Array]:
        """Document rows of the best `count` vectors and their float32 scores, best first, ties by row.

        Args:
            allowed: mask over document rows; None for all.
            candidates: how many an approximate question considers; None for an exact one.
            places: rank of every document row in a tie, instead of the row itself.

        Raises:
            EngineRefusal: see `prepared`.
        """
        prepared = self.prepared(query)
        rows = self.rows_of(query.kind)
        positions, scores = rows.search(prepared, count, allowed, candidates, places)
        return rows.owners[positions], scores

    def keep(self, kept: Array, renumbered: Array) -> None:
        """Forgets document rows that are not kept (a mask); `renumbered` maps old row numbers to new."""
        for rows in (self._floats, *self._others.values()):
            rows.keep(kept, renumbered)

    def dump(self) -> dict[str, Array]:
        """All that `load` needs, as named arrays."""
        parts: dict[str, Array] = {}
        for kind, rows in (("float", self._floats), *self._others.items()):
            parts.update({f"{kind}.{name}": part for name, part in rows.dump().items()})
        return parts

    def load(self, parts: dict[str, Array]) -> None:
        """Fills an empty column with what `dump` gave."""
        kinds: tuple[Kind, ...] = ("float", "byte", "bit")
        for kind in kinds:
            if f"{kind}.data" in parts:
                self.rows_of(kind).load(
                    {name: parts[f"{kind}.{name}"] for name in ("data", "sides", "owners")}
                )

    def _indexes(self, kind: Kind) -> bool:
        if kind == "float":
            return True
        return self._quantization == "none" and (kind == "byte" or self.similarity == "euclidean")

    def _new_rows(self, kind: Kind) -> VectorRows:
        return VectorRows(kind, self.dimensions, self.similarity, self._quantization, self._lossy)
