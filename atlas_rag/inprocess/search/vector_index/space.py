"""Vectors and filter values over one space of rows: the documents, or the children of a nested root."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from atlas_rag.inprocess.search.vector_index.column import VectorColumn
from atlas_rag.inprocess.search.vector_index.definition import VectorField
from atlas_rag.inprocess.search.vector_index.filters import Columns, FilterColumn, matching
from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.paths import values_at

_ABSENT = object()


class Space:
    """Columns by path.

    Args:
        vectors, filters: what is indexed in this space, by full path.
        prefix: what a full path begins with and a path inside these rows does not ("" or "root.").
        elsewhere: filter paths that another space of the index holds.
        lossy: see `loss`.
    """

    def __init__(
        self,
        vectors: Iterable[VectorField],
        filters: Iterable[str],
        *,
        prefix: str = "",
        elsewhere: Iterable[str] = (),
        lossy: bool = False,
    ) -> None:
        self.vectors: dict[str, VectorColumn] = {field.path: field.column(lossy=lossy) for field in vectors}
        self._filters = {path: FilterColumn() for path in filters}
        self._columns = Columns(self._filters, frozenset(elsewhere))
        self._vector_puts = [(path.removeprefix(prefix), self.vectors[path].put) for path in self.vectors]
        self._filter_puts = [
            (path.removeprefix(prefix), column.put) for path, column in self._filters.items()
        ]

    def put(self, row: int, document: Mapping[str, Any]) -> None:
        """Indexes one document, or one child, under a new row."""
        for path, put in self._vector_puts:
            value = document.get(path, _ABSENT)
            if value is not _ABSENT:
                put(row, value)
            elif "." in path:
                _put_first(put, row, list(values_at(document, path)))
        for path, put in self._filter_puts:
            value = document.get(path, _ABSENT)
            if value is not _ABSENT:
                put(row, value)
            elif "." in path:
                for value in values_at(document, path):
                    put(row, value)

    def matching(self, filters: Mapping[str, Any] | None, size: int) -> Array | None:
        """Mask of the rows that satisfy a filter; None for no filter.

        Raises:
            EngineRefusal: a path is not indexed as a filter.
        """
        return matching(filters, self._columns, size) if filters else None

    def keep(self, kept: Array, renumbered: Array) -> None:
        """Forgets rows that are not kept (a mask); `renumbered` maps old row numbers to new."""
        for vectors in self.vectors.values():
            vectors.keep(kept, renumbered)
        for values in self._filters.values():
            values.keep(kept, renumbered)

    def dump(self) -> tuple[dict[str, Array], dict[str, Any]]:
        """What `load` needs: named arrays, and values that BSON can hold."""
        arrays = {
            f"{path}/{name}": part
            for path, column in self.vectors.items()
            for name, part in column.dump().items()
        }
        return arrays, {"filters": [[path, column.dump()] for path, column in self._filters.items()]}

    def load(self, arrays: Mapping[str, Array], values: Mapping[str, Any]) -> None:
        """Fills an empty space with what `dump` gave."""
        for path, column in self.vectors.items():
            column.load(
                {n.removeprefix(f"{path}/"): part for n, part in arrays.items() if n.startswith(f"{path}/")}
            )
        for path, parts in values["filters"]:
            self._filters[path].load(parts)


def _put_first(put: Callable[[int, Any], None], row: int, values: list[Any]) -> None:
    """Indexes the vector of a path through sub-documents: the first, where arrays give several."""
    if values:
        put(row, values[0] if len(values) == 1 else values)
