"""The vectors of one kind at one path, as rows of one matrix."""

from __future__ import annotations

from typing import Literal

import numpy as np

from atlas_rag.inprocess.search.vector_index import loss
from atlas_rag.inprocess.search.vector_index.arrivals import Arrivals
from atlas_rag.inprocess.search.vector_index.growing import Array, GrowingArray
from atlas_rag.inprocess.search.vector_index.outline import Outline
from atlas_rag.inprocess.search.vector_index.quantization import QuantizedRows
from atlas_rag.inprocess.search.vector_index.selection import best, contenders
from atlas_rag.inprocess.search.vector_index.similarity import (
    Similarity,
    bit_scores,
    coarse,
    exact,
    exact_of_bytes,
    measured,
    squared_lengths,
)
from atlas_rag.inprocess.search.vector_index.values import Kind

Quantization = Literal["none", "scalar", "binary"]

# below this share of wanted rows, gathering them is cheaper than scanning all
_GATHER_BELOW = 0.3

Ranked = tuple[Array, Array]  # positions of rows, best first, and their float32 scores


class VectorRows:
    """Rows in the order of their owners (document rows, strictly ascending).

    Whole-number bytes are kept as float32, where their products are exact up to 1,040 dimensions.
    """

    def __init__(
        self, kind: Kind, dimensions: int, similarity: Similarity, quantization: Quantization, lossy: bool
    ) -> None:
        self._kind: Kind = kind
        self._similarity: Similarity = similarity
        self._quantization = quantization
        self._lossy = lossy
        self._data = GrowingArray(
            np.uint8 if kind == "bit" else np.float32, dimensions // (8 if kind == "bit" else 1)
        )
        self._sides = GrowingArray(np.float32)
        self._lengths = GrowingArray(np.float32)  # see `_squared_lengths`; NaN until it is known
        self._owners = GrowingArray(np.int32)
        self._arrivals = Arrivals(kind)
        self.add = self._arrivals.add  # what is added becomes a row when the next question comes
        self._quantized = QuantizedRows(dimensions, similarity)
        self._outline = Outline(dimensions, similarity)

    @property
    def owners(self) -> Array:
        """The document row of every row."""
        self._fold()
        return self._owners.rows

    def positions(self, allowed: Array | None) -> Array | None:
        """The rows whose owners are allowed (a mask over document rows); None means all."""
        return None if allowed is None else np.flatnonzero(allowed[self.owners])

    def search(
        self,
        query: Array,
        count: int,
        allowed: Array | None,
        candidates: int | None,
        places: Array | None = None,
    ) -> Ranked:
        """The best `count` rows.

        Args:
            query: float32, or packed bits.
            count: how many, ≥ 0.
            allowed: mask over document rows; None for all.
            candidates: None for an exact question, else how many the approximate one considers.
            places: rank of every document row in a tie, instead of the row itself.
        """
        wanted = self.positions(allowed)
        self._fold()
        if self._kind == "bit" or candidates is None:
            return self._exact(query, count, wanted, places)
        if self._lossy and self._kind == "float":
            wanted = self._survivors(query, count, wanted, candidates)
        if self._quantization == "scalar" and self._kind == "float":
            return self._scalar(query, count, wanted, places)
        return self._exact(query, count, wanted, places)

    def approximate_scores(self, query: Array, wanted: Array | None) -> tuple[Array, float]:
        """A score for each wanted row and how far off it may be; cheaper than `scores`."""
        self._fold()
        if self._kind == "bit":
            return self.scores(query, np.arange(len(self._data)) if wanted is None else wanted), 0.0
        data, sides = self._data.rows, self._sides.rows
        if wanted is not None:
            data, sides = data[wanted], sides[wanted]
        values, error = coarse(data, sides, query, self._similarity)
        if self._similarity == "euclidean":
            return 1.0 / (1.0 + np.maximum(query @ query - values, 0.0)), error
        if self._similarity == "cosine":
            return (1.0 + values / np.sqrt(query @ query)) / 2.0, error
        if self._kind == "byte":
            return 0.5 + values / (data.shape[1] << 15), error
        return np.maximum((1.0 + values) / 2.0, 0.0), error

    def scores(self, query: Array, positions: Array) -> Array:
        """The engine's score of each of these rows, whose positions an earlier answer gave."""
        if self._kind == "bit":
            return bit_scores(self._data.rows[positions], query)
        rows = self._data.rows[positions]
        if self._kind == "byte":
            return exact_of_bytes(rows, query, self._similarity)
        return exact(rows, query, self._similarity, self._squared_lengths(positions, rows))

    def keep(self, kept: Array, renumbered: Array) -> None:
        """Forgets rows of other owners than the kept ones (a mask); `renumbered` maps old owners to new."""
        self._fold()
        chosen = kept[self._owners.rows]
        for part in (self._data, self._sides, self._lengths, self._owners):
            part.keep(chosen)
        self._owners.rows[:] = renumbered[self._owners.rows]
        self._quantized.clear()
        self._outline.clear()

    def dump(self) -> dict[str, Array]:
        """All that `load` needs."""
        self._fold()
        return {"data": self._data.rows, "sides": self._sides.rows, "owners": self._owners.rows}

    def load(self, parts: dict[str, Array]) -> None:
        """Fills an empty object with what `dump` gave."""
        self._data.extend(parts["data"])
        self._sides.extend(parts["sides"])
        self._lengths.extend(np.full(len(parts["sides"]), np.nan, np.float32))
        self._owners.extend(parts["owners"])

    def _squared_lengths(self, positions: Array, rows: Array) -> Array:
        """The engine's, taken when a row is scored first: most rows never are."""
        lengths = self._lengths.rows[positions]
        if self._similarity == "cosine":
            new = np.isnan(lengths)
            if new.any():
                lengths[new] = self._lengths.rows[positions[new]] = squared_lengths(rows[new])
        return lengths

    def _exact(self, query: Array, count: int, wanted: Array | None, places: Array | None) -> Ranked:
        data, sides = self._data.rows, self._sides.rows
        count = min(count, len(data) if wanted is None else len(wanted))
        if self._kind == "bit" or not count:
            some = np.arange(len(data)) if wanted is None else wanted
        elif wanted is not None and len(wanted) < _GATHER_BELOW * len(data):
            values, error = coarse(data[wanted], sides[wanted], query, self._similarity)
            some = wanted[contenders(values, count, error)]
        else:
            some = self._scan(query, count, wanted)
        return self._ranked(some, self.scores(query, some), count, places)

    def _scan(self, query: Array, count: int, wanted: Array | None) -> Array:
        """Ascending positions of all rows that may be among the best `count` of the wanted ones."""
        data, sides = self._data.rows, self._sides.rows
        unwanted = None
        if wanted is not None:
            unwanted = np.ones(len(data), bool)
            unwanted[wanted] = False
        some = self._outline.contenders(data, sides, query, count, unwanted)
        if some is not None:
            return some
        values, error = coarse(data, sides, query, self._similarity)
        if unwanted is not None:
            values[unwanted] = -np.inf
        return contenders(values, count, error)

    def _scalar(self, query: Array, count: int, wanted: Array | None, places: Array | None) -> Ranked:
        values = self._quantized.scores(self._data.rows, query)
        some = np.arange(len(values)) if wanted is None else wanted
        return self._ranked(some, values[some], count, places)

    def _ranked(self, positions: Array, scores: Array, count: int, places: Array | None) -> Ranked:
        order = best(scores, count, None if places is None else places[self._owners.rows[positions]])
        return positions[order], scores[order]

    def _survivors(self, query: Array, count: int, wanted: Array | None, candidates: int) -> Array:
        rows = self._data.rows
        some = np.arange(len(rows)) if wanted is None else wanted
        if self._quantization == "binary":
            return some[loss.binary_survivors(rows[some], query, count, candidates)]
        if len(some) <= candidates:
            return some
        if self._quantization == "scalar":
            values = self._quantized.scores(rows, query)[some]
        else:
            values, _ = coarse(rows[some], self._sides.rows[some], query, self._similarity)
        return some[loss.graph_survivors(values, query, candidates)]

    def _fold(self) -> None:
        if not self._arrivals.owners:
            return
        block, owners = self._arrivals.take()
        block = block.astype(self._data.rows.dtype, copy=False)
        if self._kind != "bit":
            usable, sides = measured(block, self._similarity)
            if not usable.all():
                block, owners, sides = block[usable], owners[usable], sides[usable]
            self._sides.extend(sides)
            self._lengths.extend(np.full(len(sides), np.nan, np.float32))
        self._data.adopt(block)
        self._owners.extend(owners)
