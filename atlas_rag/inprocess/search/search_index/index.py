"""A search index (type "search"): documents in, `$search` bodies answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from atlas_rag import grammar
from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.index import Answer
from atlas_rag.inprocess.search import saving
from atlas_rag.inprocess.search.algorithms.murmur3 import partition as partition_of
from atlas_rag.inprocess.search.search_index.documents import add_document
from atlas_rag.inprocess.search.search_index.execution import Parts, Request
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.operators.context import Synonyms
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.saving import dump_partition, load_partition
from atlas_rag.inprocess.search.search_index.stored import Sources


class SearchIndex:
    """The documents of one collection under one definition.

    Args:
        definition: well formed.
        synonyms: returns the documents of a synonym mapping's collection, by the mapping's name.
        new_synonyms: the engine's flag for the graph-aware synonym syntax of `text`.
        simulate_loss: whether approximate vector searches may miss hits, see `vector.loss`.
    """

    def __init__(
        self,
        definition: Mapping[str, Any],
        *,
        synonyms: Synonyms | None = None,
        new_synonyms: bool = False,
        simulate_loss: bool = False,
    ) -> None:
        self.mapping = SearchMapping(definition, lossy=simulate_loss)
        count = int(definition.get("numPartitions") or 1)
        self.partitions = [Partition() for _ in range(count)]
        self._homes: dict[int, int] = {}
        self._sources: dict[int, Mapping[str, Any]] = {}
        self._document_of: Callable[[int], Mapping[str, Any] | None] = self._sources.get
        sources = Sources(self.mapping, self._document)
        self._parts = Parts(self.mapping, self.partitions, sources, synonyms, new_synonyms)

    def put(self, key: int, document: Mapping[str, Any]) -> None:
        """Indexes a document; one of the same key is replaced and moves behind all others."""
        self.remove(key)
        count = len(self.partitions)
        home = 0 if count == 1 else partition_of(document.get("_id"), count)
        self._homes[key] = home
        self._sources[key] = document
        add_document(self.mapping, self.partitions[home], key, document)

    def remove(self, key: int) -> None:
        """Forgets a document; an unknown key is no error."""
        home = self._homes.pop(key, None)
        if home is not None:
            self.partitions[home].documents.remove(key)
            self._sources.pop(key, None)

    def search(
        self,
        body: Mapping[str, Any],
        *,
        limit: int | None = None,
        meta_only: bool = False,
        tokens: bool = False,
    ) -> Answer:
        """See `inprocess.index.Index.search`."""
        try:
            return self._answer(body, limit, meta_only=meta_only, tokens=tokens)
        except RecursionError:
            raise EngineRefusal("the query is nested too deeply") from None

    def _answer(self, body: Mapping[str, Any], limit: int | None, *, meta_only: bool, tokens: bool) -> Answer:
        problems = (grammar.search_meta_problems if meta_only else grammar.search_problems)(body)
        if problems:
            raise EngineRefusal(problems[0])
        for partition in self.partitions:
            partition.compact()
        with np.errstate(all="ignore"):  # numbers overflow in silence, as in Java
            return Request(body, self._parts).answer(limit, meta_only=meta_only, tokens=tokens)

    def save(self, folder: Path) -> None:
        """Writes all but the documents themselves."""
        sections: dict[str, Mapping[str, Any]] = {}
        values = []
        for at, partition in enumerate(self.partitions):
            arrays, own = dump_partition(partition, str(at))
            sections.update(arrays)
            values.append(own)
        saving.write(folder, sections, {"partitions": values})

    def load(self, folder: Path, document_of: Callable[[int], Mapping[str, Any] | None]) -> None:
        """Fills a new index of the same definition with what `save` wrote.

        Args:
            document_of: returns the document of a key, for highlights and stored source.

        Raises:
            OSError, ValueError: nothing readable is there; index the documents again.
        """
        arrays, values = saving.read(folder)
        for at, (partition, own) in enumerate(zip(self.partitions, values["partitions"], strict=True)):
            load_partition(partition, self.mapping, str(at), arrays, own)
            self._homes.update(dict.fromkeys(partition.documents.rows, at))
        self._document_of = document_of

    def _document(self, key: int) -> Mapping[str, Any]:
        found = self._sources.get(key) or self._document_of(key)
        if found is None:
            raise LookupError(f"no document of row {key}")
        return found
