"""Values of one path by document: numbers and dates, or arbitrary objects such as geometries."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.storage.documents import Documents
from atlas_rag.inprocess.search.search_index.storage.runs import Flags, Ints, Longs

Values = NDArray[Any]
"""float64, or int64 in columns of whole numbers."""
Item = TypeVar("Item")


class Cells(NamedTuple):
    """Live values in document order, and which of them stood alone (not in an array)."""

    docs: Ints
    values: Values
    single: Flags


NAN_KEY = int(np.iinfo(np.int64).min)
"""What NaN becomes: below all numbers."""


def to_sortable(values: NDArray[np.float64]) -> Longs:
    """Maps doubles to integers that sort alike, NaN below all."""
    bits = (values + 0.0).view(np.int64)
    keys = np.where(bits < 0, np.bitwise_xor(bits, np.int64(0x7FFFFFFFFFFFFFFF)), bits)
    keys[np.isnan(values)] = NAN_KEY
    return keys


class NumberColumn:
    """Doubles or 64-bit integers of one path.

    Args:
        whole: keep int64 instead of float64.
    """

    def __init__(self, documents: Documents, *, whole: bool) -> None:
        self.documents = documents
        self.whole = whole
        self._docs = array("i")
        self._values: array[Any] = array("q" if whole else "d")
        self._single = array("b")
        self._view: ColumnView | None = None
        self._seen = -1

    def add(self, doc: int, value: float, *, single: bool) -> None:
        """Appends a value of a document (documents come in rising order)."""
        self._docs.append(doc)
        self._values.append(value)
        self._single.append(single)

    def add_all(self, doc: int, values: Sequence[float]) -> None:
        """Appends the elements of an array in a document."""
        self._docs.extend(array("i", (doc,)) * len(values))
        self._values.extend(array(self._values.typecode, values))
        self._single.frombytes(bytes(len(values)))

    @property
    def view(self) -> ColumnView:
        """The column as readers see it until the next write."""
        if self._view is None or self._seen != self.documents.version:
            self._view = ColumnView(self._cells())
            self._seen = self.documents.version
        return self._view

    def _cells(self) -> Cells:
        docs = np.array(self._docs, np.int32)
        values = np.array(self._values, np.int64 if self.whole else np.float64)
        single = np.array(self._single, bool)
        alive = self.documents.alive_flags()
        if alive is None:
            return Cells(docs, values, single)
        keep = alive[docs]
        return Cells(docs[keep], values[keep], single[keep])

    def arrays(self) -> tuple[Ints, Values, Flags]:
        """Returns all cells as kept, dead ones too (for saving)."""
        values = np.array(self._values, np.int64 if self.whole else np.float64)
        return np.array(self._docs, np.int32), values, np.array(self._single, bool)

    def renumber(self, alive: Flags, renumbered: Ints) -> None:
        """Drops the dead and gives all others their new numbers."""
        docs, values, single = self.arrays()
        keep = alive[docs]
        self._docs, self._single = array("i"), array("b")
        self._values = array("q" if self.whole else "d")
        self.extend(renumbered[docs[keep]], values[keep], single[keep])
        self._view = None

    def extend(self, docs: Ints, values: Values, single: Flags) -> None:
        """Appends saved cells."""
        self._docs.frombytes(docs.astype(np.int32).tobytes())
        self._values.frombytes(values.astype(np.int64 if self.whole else np.float64).tobytes())
        self._single.frombytes(single.astype(np.int8).tobytes())


class ColumnView:
    """Live cells of a number column and what is derived from them."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells

    def between(self, low: float | int, high: float | int) -> Ints:
        """Returns the documents with a value from low to high, both included; NaN is in no range."""
        values = self.cells.values
        docs = self.cells.docs[(values >= low) & (values <= high)]
        return docs if self._one_each else np.unique(docs)

    @cached_property
    def _one_each(self) -> bool:
        docs = self.cells.docs
        return len(docs) < 2 or bool((docs[1:] != docs[:-1]).all())

    @cached_property
    def singles(self) -> tuple[Ints, Values]:
        """Documents whose only value stood alone, with that value."""
        cells = self.cells
        return cells.docs[cells.single], cells.values[cells.single]


class ObjectColumn(Generic[Item]):
    """Python objects of one path, kept in document order."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.docs: list[int] = []
        self.items: list[Item] = []

    def add(self, doc: int, item: Item) -> None:
        """Appends an object of a document."""
        self.docs.append(doc)
        self.items.append(item)

    def renumber(self, alive: Flags, renumbered: Ints) -> None:
        """Drops the dead and gives all others their new numbers."""
        kept = [
            (int(renumbered[doc]), item)
            for doc, item in zip(self.docs, self.items, strict=True)
            if alive[doc]
        ]
        self.docs = [doc for doc, _ in kept]
        self.items = [item for _, item in kept]

    def live(self) -> list[tuple[int, Item]]:
        """Returns (document, object) of live documents."""
        alive = self.documents.alive_flags()
        pairs = zip(self.docs, self.items, strict=True)
        return [(doc, item) for doc, item in pairs if alive is None or alive[doc]]
