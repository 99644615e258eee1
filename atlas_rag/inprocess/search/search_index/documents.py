"""From a document to Lucene documents: embedded ones first, each value handed to its path's fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from bson.int64 import Int64

from atlas_rag.inprocess.search.search_index.fields.base import Field
from atlas_rag.inprocess.search.search_index.fields.numeric import NumberField
from atlas_rag.inprocess.search.search_index.mapping import Node, SearchMapping
from atlas_rag.inprocess.search.search_index.names import NULL_TERM
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.storage.terms import Options

_PLAIN = Options()
NUMBERS = {int, float, Int64}
"""Types of numbers that an array may hold by the hundred, such as an embedding under a dynamic mapping."""


def add_document(mapping: SearchMapping, partition: Partition, key: int, document: Mapping[str, Any]) -> None:
    """Indexes a document as one block that ends with its root."""
    documents = partition.documents
    first = documents.size
    _Block(partition, key).add(mapping.root, document)
    documents.end_block(key, first)


class _Block:
    """Lucene documents of one document being indexed."""

    def __init__(self, partition: Partition, key: int) -> None:
        self._partition = partition
        self._key = key

    def add(self, node: Node, document: Mapping[str, Any]) -> int:
        """Adds the embedded documents below a document, then the document itself; returns its number."""
        values = _Values()
        for name, value in document.items():
            child = node.child(name)
            if child is not None:
                self._walk(child, value, True, values)
        documents = self._partition.documents
        number = documents.append(self._key, node.scope.number)
        for child_number in values.children:
            documents.adopt(child_number, number)
        for field, value, single in values.found:
            field.index(self._partition, number, value, single=single)
        for numbers, items in values.numbers:
            numbers.index_all(self._partition, number, items)
        if values.paths:
            self._partition.term_field(node.scope.paths_field, _PLAIN).buffer.add_terms(
                number, list(values.paths)
            )
        for path in values.nulls:
            self._partition.term_field(node.scope.field("null", path), _PLAIN).buffer.add_terms(
                number, (NULL_TERM,)
            )
        return number

    def _walk(self, node: Node, value: Any, single: bool, values: _Values) -> None:
        values.paths[node.path] = None
        if isinstance(value, list):
            whole = node.fields_for(list)
            values.found.extend((field, value, single) for field in whole)
            if not whole or len(whole) < len(node.fields):  # else a vector, whose numbers are no values
                self._walk_items(node, value, values)
            return
        if value is None:
            values.nulls[node.path] = None
            return
        for field in node.fields_for(type(value)):
            values.found.append((field, value, single))
        if isinstance(value, dict | Mapping):
            self._descend(node, value, single, values)

    def _walk_items(self, node: Node, items: list[Any], values: _Values) -> None:
        """The elements of an array; where all are numbers of one type, they are handed on as they are."""
        kinds = set(map(type, items))
        if len(kinds) == 1 and kinds <= NUMBERS:
            takers = cast("tuple[NumberField, ...]", node.fields_for(kinds.pop()))
            values.numbers.extend((field, items) for field in takers)
            return
        for item in items:
            self._walk(node, item, False, values)

    def _descend(self, node: Node, value: Mapping[str, Any], single: bool, values: _Values) -> None:
        if node.embedded is not None:
            values.children.append(self.add(node.embedded, value))
        if node.children or node.dynamic is not None:
            for name, inner in value.items():
                child = node.child(name)
                if child is not None:
                    self._walk(child, inner, single, values)


class _Values:
    """What a document holds, by field, until its number is known."""

    __slots__ = ("children", "found", "nulls", "numbers", "paths")

    def __init__(self) -> None:
        self.found: list[tuple[Field, Any, bool]] = []
        self.numbers: list[tuple[NumberField, list[Any]]] = []
        self.paths: dict[str, None] = {}
        self.nulls: dict[str, None] = {}
        self.children: list[int] = []
