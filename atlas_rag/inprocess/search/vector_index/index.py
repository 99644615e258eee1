"""A vector index: documents in, best documents out."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import compress, repeat
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.index import Answer, IndexHit
from atlas_rag.inprocess.models import Models
from atlas_rag.inprocess.search import saving
from atlas_rag.inprocess.search.algorithms.murmur3 import partition
from atlas_rag.inprocess.search.stored_source import stored_part
from atlas_rag.inprocess.search.vector_index.column import VectorColumn
from atlas_rag.inprocess.search.vector_index.definition import NO_MODELS, VectorDefinition
from atlas_rag.inprocess.search.vector_index.embedded import EmbeddedColumn
from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.nested import Family, best_parents, children_of
from atlas_rag.inprocess.search.vector_index.query import VectorQuery
from atlas_rag.inprocess.search.vector_index.space import Space
from atlas_rag.inprocess.search.vector_index.table import RowTable
from atlas_rag.inprocess.search.vector_index.values import Vector

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_LONGEST_QUEUE = (1 << 31) - 17  # the longest array of a Java virtual machine


class VectorIndex:
    """Answers `$vectorSearch` like the engine does, from a full scan.

    An approximate question is answered from the same scan, so it misses nothing, unless the index is opened
    with `simulate_loss`. Equal scores come in the order of writing (by partition first, where there are any).

    Args:
        definition: of type "vectorSearch", accepted by `grammar.vector_index_problems`.
        simulate_loss: whether approximate questions may miss hits, see `loss`.
        models: what fields of type "autoEmbed" are embedded by.

    Raises:
        EngineRefusal: the definition needs a model that is not given.
    """

    def __init__(
        self, definition: Mapping[str, Any], *, simulate_loss: bool = False, models: Models = NO_MODELS
    ) -> None:
        self._definition = read = VectorDefinition.read(definition, models)
        nested_filters = [path for path in read.filters if read.is_nested(path)]
        root_filters = [path for path in read.filters if not read.is_nested(path)]
        self._documents = Space(
            [field for field in read.vectors if not read.is_nested(field.path)],
            root_filters,
            elsewhere=nested_filters,
            lossy=simulate_loss,
        )
        self._children = Space(
            [field for field in read.vectors if read.is_nested(field.path)],
            nested_filters,
            prefix=read.nested_root + ".",
            elsewhere=root_filters,
            lossy=simulate_loss,
        )
        self._table = RowTable()
        self._parents = array("i")
        self._partitions = bytearray()
        self._stored: dict[int, dict[str, Any]] = {}
        self._identifiers: list[Any] = []

    def put(self, key: int, document: Mapping[str, Any]) -> None:
        """Indexes a document; a key that was put before is replaced and moves behind all others."""
        if key in self._table:
            self.remove(key)
        row = self._table.add(key)
        self._documents.put(row, document)
        if self._definition.nested_root:
            for child in children_of(document, self._definition.nested_root):
                self._children.put(len(self._parents), child)
                self._parents.append(row)
        if self._definition.partitions > 1:
            self._partitions.append(partition(document.get("_id"), self._definition.partitions))
        self._identifiers.append(document.get("_id"))
        if self._definition.stored is not None:
            self._stored[key] = stored_part(document, self._definition.stored)

    def remove(self, key: int) -> None:
        """Forgets a document, if it is there."""
        if self._table.remove(key):
            self._stored.pop(key, None)
            if self._table.worth_clearing:
                self._clear()

    @np.errstate(all="ignore")  # numbers overflow in silence, as in Java
    def search(
        self,
        body: Mapping[str, Any],
        *,
        limit: int | None = None,
        meta_only: bool = False,
        tokens: bool = False,
    ) -> Answer:
        """Answers a `$vectorSearch` body. `meta_only` and `tokens` mean nothing to a vector index.

        Raises:
            EngineRefusal: with the engine's own words.
        """
        query = VectorQuery.read(body)
        if query.candidates is None and query.limit >= _LONGEST_QUEUE:
            raise EngineRefusal(f"maxSize must be >= 0 and < {_LONGEST_QUEUE}; got: {query.limit}")
        count = query.limit if limit is None else min(limit, query.limit)
        if query.path in self._documents.vectors:
            rows, scores = self._search_documents(self._documents.vectors[query.path], query, count)
        elif query.path in self._children.vectors:
            rows, scores = self._search_children(self._children.vectors[query.path], query, count)
        else:
            raise EngineRefusal(f"{query.path} is not indexed as vector")
        found = rows.tolist()
        metas: Iterable[Mapping[str, Any]] = repeat(_NOTHING)
        if query.stored_source:
            metas = ({"storedSource": self._source(row)} for row in found)
        return Answer([*map(IndexHit, self._table.keys(found), scores.tolist(), metas)], _NOTHING)

    def save(self, folder: Path) -> None:
        """Writes all that `load` needs."""
        documents, children = self._documents.dump(), self._children.dump()
        saving.write(
            folder,
            {"documents": documents[0], "children": children[0]},
            {
                "table": self._table.dump(),
                "parents": self._parents.tobytes(),
                "partitions": bytes(self._partitions),
                "documents": documents[1],
                "children": children[1],
                "identifiers": self._identifiers,
                "stored": [[key, value] for key, value in self._stored.items()],
            },
        )

    def load(self, folder: Path) -> None:
        """Fills a new index of the same definition with what `save` wrote.

        Raises:
            OSError, ValueError: nothing readable is there; index the documents again.
        """
        arrays, values = saving.read(folder)
        self._table.load(values["table"])
        self._parents.frombytes(values["parents"])
        self._partitions.extend(values["partitions"])
        self._documents.load(arrays["documents"], values["documents"])
        self._children.load(arrays["children"], values["children"])
        self._identifiers = values["identifiers"]
        self._stored = dict(values["stored"])

    def _search_documents(self, column: VectorColumn, query: VectorQuery, count: int) -> tuple[Array, Array]:
        if query.score_mode is not None:
            raise EngineRefusal("nestedOptions requires a vector path within the index's nested root")
        vector = _vector_of(query, column)
        prepared, rows = column.prepared(vector), column.rows_of(vector.kind)
        size = len(self._table)
        masks = (
            self._table.alive,
            self._documents.matching(query.filter, size),
            self._documents.matching(query.parent_filter, size),
        )
        positions, scores = rows.search(prepared, count, _all_of(masks), query.candidates, self._places())
        return rows.owners[positions], scores

    def _search_children(self, column: VectorColumn, query: VectorQuery, count: int) -> tuple[Array, Array]:
        vector = _vector_of(query, column)
        prepared = column.prepared(vector)
        parents = np.array(self._parents, np.int32)
        alive = self._table.alive
        return best_parents(
            column.rows_of(vector.kind),
            prepared,
            count,
            mode=query.score_mode or "max",
            allowed=_all_of(
                (
                    None if alive is None else alive[parents],
                    self._children.matching(query.filter, len(parents)),
                )
            ),
            candidates=query.candidates,
            family=Family(parents, self._documents.matching(query.parent_filter, len(self._table))),
            places=self._places(),
        )

    def _places(self) -> Array | None:
        """The rank of every row in a tie, where it is not the row itself."""
        if self._definition.partitions == 1:
            return None
        rows = np.arange(len(self._table))
        return np.frombuffer(bytes(self._partitions), np.uint8) * np.int64(len(rows)) + rows

    def _source(self, row: int) -> dict[str, Any]:
        """What is stored of a document; where nothing is, the engine answers with the `_id` alone."""
        return self._stored.get(self._table.key(row), {"_id": self._identifiers[row]})

    def _clear(self) -> None:
        """Drops dead rows everywhere."""
        kept, renumbered = self._table.clear()
        parents = np.array(self._parents, np.int32)
        kept_children = kept[parents]
        self._children.keep(kept_children, np.cumsum(kept_children) - 1)
        self._parents = array("i", renumbered[parents[kept_children]].astype(np.int32).tobytes())
        self._documents.keep(kept, renumbered)
        self._identifiers = list(compress(self._identifiers, kept.tolist()))
        if self._partitions:
            self._partitions = bytearray(np.frombuffer(bytes(self._partitions), np.uint8)[kept].tobytes())


def _vector_of(query: VectorQuery, column: VectorColumn) -> Vector:
    if query.vector is not None:
        return query.vector
    if not isinstance(column, EmbeddedColumn):
        raise EngineRefusal("queryVector must be present")
    return column.question(query.text, query.model)


def _all_of(masks: tuple[Array | None, ...]) -> Array | None:
    given = [mask for mask in masks if mask is not None]
    return np.logical_and.reduce(given) if given else None
