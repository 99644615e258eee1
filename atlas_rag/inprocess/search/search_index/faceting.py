"""Facet counts over all matching documents.

A string bucket counts documents with a token; a number or date bucket documents with a value from its
boundary up to the next. `default` holds what the other buckets leave of the total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from bson.datetime_ms import DatetimeMS
from bson.int64 import Int64

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.exact import ExactField
from atlas_rag.inprocess.search.search_index.fields.numeric import (
    DateField,
    NumberField,
    millis_of,
    truncated,
)
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.names import ROOT_SCOPE, Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.storage.runs import Flags, Ints

DEFAULT_BUCKETS = 10
_FIELD_NAMES = {"string": "token", "number": "number", "date": "date"}
_MAPPED_AS = {
    "string": ("token", "stringFacet"),
    "number": ("number", "numberFacet"),
    "date": ("date", "dateFacet"),
}


class Facets:
    """The facets of one query.

    Args:
        specs: the `facets` document.
        scope: the documents that are counted.
    """

    def __init__(self, specs: Mapping[str, Mapping[str, Any]], mapping: SearchMapping, scope: Scope) -> None:
        self._specs = specs
        self._fields = {name: _field(spec, mapping, scope) for name, spec in specs.items()}

    def counts(self, partitions: Sequence[Partition], matches: Sequence[Ints]) -> dict[str, Any]:
        """Counts the matching documents of all partitions, by facet."""
        total = sum(map(len, matches))
        pairs = list(zip(partitions, matches, strict=True))
        return {name: self._facet(name, spec, pairs, total) for name, spec in self._specs.items()}

    def _facet(
        self, name: str, spec: Mapping[str, Any], pairs: Sequence[tuple[Partition, Ints]], total: int
    ) -> dict[str, Any]:
        field = self._fields[name]
        if isinstance(field, ExactField):
            buckets = Counter[str]()
            for partition, docs in pairs:
                buckets.update(_labels(field, partition, docs))
            asked = spec.get("numBuckets")
            return {"buckets": _largest(buckets, DEFAULT_BUCKETS if asked is None else int(asked))}
        counts = sum(_histogram(field, spec["boundaries"], partition, docs) for partition, docs in pairs)
        return {"buckets": _buckets(spec, np.atleast_1d(counts).tolist(), total)}


def _field(spec: Mapping[str, Any], mapping: SearchMapping, scope: Scope) -> Any:
    kind, path = spec["type"], spec["path"]
    for node in (mapping.listed(path, scope), mapping.listed(path, ROOT_SCOPE) if scope.path else None):
        for name in _MAPPED_AS[kind]:
            if node is not None and name in node.fields:
                return node.fields[name]
    raise EngineRefusal(
        f'Cannot facet on field "{path}" "{scope.path}" because it was not indexed as a '
        f'"{_FIELD_NAMES[kind]}" field.'
    )


def _labels(field: ExactField, partition: Partition, docs: Ints) -> dict[str, int]:
    inverted = partition.terms.get(field.name)
    if inverted is None:
        return {}
    owners, ranks = inverted.view.forward
    labels = inverted.view.dictionary.terms
    counts = np.bincount(ranks[_members(docs, partition)[owners]], minlength=len(labels))
    return {labels[at]: int(counts[at]) for at in np.flatnonzero(counts)}


def _members(docs: Ints, partition: Partition) -> Flags:
    flags = np.zeros(partition.documents.size, bool)
    flags[docs] = True
    return flags


def _largest(counts: Mapping[str, int], limit: int) -> list[dict[str, Any]]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return [{"_id": label, "count": Int64(count)} for label, count in ordered if label]


def _histogram(
    field: NumberField | DateField, boundaries: Sequence[Any], partition: Partition, docs: Ints
) -> np.ndarray[Any, np.dtype[np.int64]]:
    column = partition.numbers.get(field.name)
    buckets = len(boundaries) - 1
    if column is None:
        return np.zeros(buckets, np.int64)
    owners, values, _ = column.view.cells
    edges = np.array([_edge(boundary, whole=column.whole) for boundary in boundaries], values.dtype)
    inside = _members(docs, partition)[owners]
    places = edges.searchsorted(values[inside], side="right") - 1
    places[np.isnan(values[inside])] = -1
    kept = (places >= 0) & (places < buckets)
    once = np.unique(owners[inside][kept].astype(np.int64) * buckets + places[kept])
    return np.bincount(once % buckets, minlength=buckets)


def _edge(boundary: Any, *, whole: bool) -> float:
    """A boundary as a column keeps its values: dates as milliseconds, doubles cut where it is `whole`."""
    if isinstance(boundary, datetime | DatetimeMS):
        return millis_of(boundary)
    return truncated(boundary) if whole and isinstance(boundary, float) else boundary


def _buckets(spec: Mapping[str, Any], counts: Sequence[int], total: int) -> list[dict[str, Any]]:
    buckets = [
        {"_id": boundary, "count": Int64(count)}
        for boundary, count in zip(spec["boundaries"], counts, strict=False)
    ]
    if spec.get("default") is not None:
        buckets.append({"_id": spec["default"], "count": Int64(total - sum(counts))})
    return buckets
