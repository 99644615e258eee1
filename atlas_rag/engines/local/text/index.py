"""A search index (type "search"): documents in, `$search` bodies answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.engines.local.algorithms.murmur3 import partition as partition_of
from atlas_rag.engines.local.index import Answer, IndexHit
from atlas_rag.engines.local.text.documents import add_document
from atlas_rag.engines.local.text.mapping import SearchMapping
from atlas_rag.engines.local.text.operators.context import Context, Synonyms
from atlas_rag.engines.local.text.partition import Partition
from atlas_rag.engines.local.text.queries.base import Matches, rewritten
from atlas_rag.engines.local.text.ranking import best_by_score


class SearchIndex:
    """The documents of one collection under one definition.

    Args:
        definition: well formed.
        synonyms: returns the documents of a synonym mapping's collection, by the mapping's name.
        new_synonyms: the engine's flag for the graph-aware synonym syntax of `text`.
    """

    def __init__(
        self,
        definition: Mapping[str, Any],
        *,
        synonyms: Synonyms | None = None,
        new_synonyms: bool = False,
    ) -> None:
        self.mapping = SearchMapping(definition)
        count = int(definition.get("numPartitions") or 1)
        self.partitions = [Partition() for _ in range(count)]
        self._homes: dict[int, int] = {}
        self._sources: dict[int, Mapping[str, Any]] = {}
        self._synonyms = synonyms
        self._new_synonyms = new_synonyms

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
            del self._sources[key]

    def search(
        self,
        body: Mapping[str, Any],
        *,
        limit: int | None = None,
        meta_only: bool = False,
        tokens: bool = False,
    ) -> Answer:
        """See `engines.local.index.Index.search`."""
        matches = [self._matches(partition, body) for partition in self.partitions]
        meta = {"count": self._count(body.get("count"), sum(len(part.docs) for part in matches))}
        if meta_only:
            return Answer((), meta)
        hits = [
            IndexHit(int(self.partitions[place.partition].documents.arrays.keys[place.doc]), place.score, {})
            for place in best_by_score(matches, limit)
        ]
        return Answer(hits, meta)

    def _matches(self, partition: Partition, body: Mapping[str, Any]) -> Matches:
        context = Context(self.mapping, partition, synonyms=self._synonyms, new_synonyms=self._new_synonyms)
        query = rewritten(context.build(body), partition)
        matches = query.weigh(partition).matches
        scopes = partition.documents.arrays.scopes
        if len(self.mapping.scopes) > 1:
            keep = scopes[matches.docs] == 0
            matches = Matches(matches.docs[keep], matches.scores[keep])
        return matches

    def _count(self, option: Mapping[str, Any] | None, total: int) -> dict[str, int]:
        kind = (option or {}).get("type") or "lowerBound"
        return {kind: total}
