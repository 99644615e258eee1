"""Stored source: the part of a document that an index gives back itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.mapping import Node, SearchMapping
from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.stored_source import stored_part


class Sources:
    """The documents behind an index.

    Args:
        document_of: returns the document of a key.
    """

    def __init__(self, mapping: SearchMapping, document_of: Callable[[int], Mapping[str, Any]]) -> None:
        self._mapping = mapping
        self._document_of = document_of

    def root(self, partition: Partition, doc: int) -> Mapping[str, Any]:
        """Returns the collection's document that a Lucene document belongs to."""
        return self._document_of(int(partition.documents.arrays.keys[doc]))

    def document(self, partition: Partition, doc: int, scope: Scope) -> Mapping[str, Any]:
        """Returns what a Lucene document of a scope was made from: the root or an embedded document."""
        root = self.root(partition, doc)
        if not scope.path:
            return root
        first, last = partition.documents.block_of(int(partition.documents.arrays.keys[doc]))
        scopes = partition.documents.arrays.scopes[first:last]
        place = int(np.count_nonzero(scopes[: doc - first] == scope.number))
        for at, embedded in enumerate(embedded_documents(self._mapping.root, root, scope)):
            if at == place:
                return embedded
        raise LookupError(f"no embedded document {place} at {scope.path}")

    def stored(self, partition: Partition, doc: int, scope: Scope) -> dict[str, Any]:
        """Returns the stored source of a Lucene document."""
        return stored_part(self.document(partition, doc, scope), self.require(scope), keep_id=not scope.path)

    def require(self, scope: Scope) -> Any:
        """Returns what a scope stores. Raises `EngineRefusal` where it stores nothing."""
        setting = self._setting(scope)
        if not setting:
            raise EngineRefusal("storedSource is not configured for this index")
        return setting

    def _setting(self, scope: Scope) -> Any:
        if scope.path:
            return self._mapping.scope_nodes[scope.path].stored_source
        return self._mapping.definition.get("storedSource")


def strings_at(document: Any, path: str) -> list[str]:
    """Returns the strings at a path of a document, arrays flattened."""
    if isinstance(document, list):
        return [text for item in document for text in strings_at(item, path)]
    if not path:
        return [document] if isinstance(document, str) else []
    if not isinstance(document, Mapping):
        return []
    name, _, rest = path.partition(".")
    return strings_at(document[name], rest) if name in document else []


def embedded_documents(node: Node, document: Mapping[str, Any], scope: Scope) -> Iterator[Mapping[str, Any]]:
    """Yields the embedded documents of a scope in the order in which they are indexed."""
    for name, value in document.items():
        child = node.child(name)
        if child is not None and (child.path == scope.path or scope.path.startswith(child.path + ".")):
            yield from _embedded_in(child, value, scope)


def _embedded_in(node: Node, value: Any, scope: Scope) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from _embedded_in(node, item, scope)
    elif isinstance(value, Mapping):
        if node.path == scope.path:
            yield value
        elif node.embedded is not None:
            yield from embedded_documents(node.embedded, value, scope)
        else:
            yield from embedded_documents(node, value, scope)
