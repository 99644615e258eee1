"""Stored source: the part of a document that an index gives back itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from atlas_rag.engines.local.refusals import EngineRefusal
from atlas_rag.engines.local.text.mapping import Node, SearchMapping
from atlas_rag.engines.local.text.names import Scope
from atlas_rag.engines.local.text.partition import Partition


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
        setting = self._setting(scope)
        if not setting:
            raise EngineRefusal("storedSource is not configured for this index")
        return stored_part(self.document(partition, doc, scope), setting, keep_id=not scope.path)

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


def stored_part(document: Mapping[str, Any], spec: Any, *, keep_id: bool = True) -> dict[str, Any]:
    """Returns what a `storedSource` setting keeps of a document.

    Args:
        spec: true, or {"include": paths} or {"exclude": paths}.
        keep_id: `_id` is kept whatever `include` lists.
    """
    if spec is True:
        return dict(document)
    if spec.get("include") is not None:
        included = [path.split(".") for path in spec["include"]]
        kept = _including(document, included)
        return {"_id": document["_id"], **kept} if keep_id and "_id" in document else kept
    return _excluding(document, [path.split(".") for path in spec["exclude"]])


def _including(document: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in document.items():
        below = [path[1:] for path in paths if path[0] == name]
        if any(not rest for rest in below):
            kept[name] = value
        elif below:
            inner = _within(value, below, _including)
            if inner is not None:
                kept[name] = inner
    return kept


def _excluding(document: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in document.items():
        below = [path[1:] for path in paths if path[0] == name]
        if any(not rest for rest in below):
            continue
        kept[name] = _within(value, below, _excluding, keep_scalars=True) if below else value
    return kept


def _within(value: Any, paths: Sequence[Sequence[str]], cut: Any, *, keep_scalars: bool = False) -> Any:
    """Applies a cut inside documents and arrays; what is neither is kept or dropped."""
    if isinstance(value, Mapping):
        return cut(value, paths)
    if isinstance(value, list):
        parts = [_within(item, paths, cut, keep_scalars=keep_scalars) for item in value]
        return [part for part in parts if part is not None or keep_scalars]
    return value if keep_scalars else None
