"""Sorting by values: brackets of types in BSON order, arrays by their least or greatest element.

Every document of a partition gets an integer rank per sort key, kept until the next write, so that a query
compares integers only. Values themselves are read for the hits that are returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from bson import MaxKey, MinKey, ObjectId
from bson.binary import Binary
from bson.datetime_ms import DatetimeMS
from bson.int64 import Int64
from numpy.typing import NDArray

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.names import NULL_TERM, TRUE_TERM, Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.storage.columns import NAN_KEY, to_sortable
from atlas_rag.inprocess.search.search_index.storage.runs import Ints, Longs

MISSING = 0
NUMBER, STRING, BINARY, OBJECT_ID, BOOLEAN, DATE = range(1, 7)
_TERM_KINDS = {
    "token": STRING,
    "sortableStringBetaV1": STRING,
    "uuid": BINARY,
    "objectId": OBJECT_ID,
    "boolean": BOOLEAN,
}
_NUMBER_KINDS = {
    "number": NUMBER,
    "sortableNumberBetaV1": NUMBER,
    "date": DATE,
    "sortableDateBetaV1": DATE,
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class SortKey(NamedTuple):
    """One key of a sort: a path, or the score where `path` is None.

    Args:
        descending: greatest first.
        missing_last_in_order: `noData: highest`: missing values count as greater than all others.
    """

    path: str | None
    descending: bool
    missing_highest: bool = False


def read_sort(spec: Mapping[str, Any]) -> list[SortKey]:
    """Reads a `sort` document."""
    keys = []
    for path, value in spec.items():
        if isinstance(value, Mapping) and value.get("$meta") is not None:
            order = value.get("order")
            keys.append(SortKey(None, order is None or int(order) < 0))
        elif isinstance(value, Mapping):
            keys.append(SortKey(path, int(value["order"]) < 0, value.get("noData") == "highest"))
        else:
            keys.append(SortKey(path, int(value) < 0))
    return keys


class Sorter:
    """A sort bound to a partition and a scope."""

    def __init__(
        self, keys: Sequence[SortKey], mapping: SearchMapping, partition: Partition, scope: Scope
    ) -> None:
        self._keys = keys
        self._columns = [
            None if key.path is None else _column(key, mapping, partition, scope) for key in keys
        ]

    def order(self, docs: Ints, scores: NDArray[np.float32], limit: int | None) -> NDArray[np.int64]:
        """Returns the places of the first documents in sort order, ties in document order."""
        ranks = [self._ranks(at, docs, scores) for at in range(len(self._keys))]
        combined = _combined(ranks)
        if combined is None:
            return np.lexsort(ranks[::-1])[:limit]
        return first(combined, limit)

    def _ranks(self, at: int, docs: Ints, scores: NDArray[np.float32]) -> Longs:
        column = self._columns[at]
        if column is not None:
            return column.ranks[docs]
        ranks = np.unique(scores, return_inverse=True)[1].astype(np.int64)
        return -ranks + int(ranks.max(initial=0)) if self._keys[at].descending else ranks

    def values(self, doc: int, score: float) -> list[Any]:
        """Returns the sort values of a document; missing ones are MinKey or MaxKey."""
        return [score if column is None else column.value(doc) for column in self._columns]


def first(keys: Longs, limit: int | None) -> NDArray[np.int64]:
    """Returns the places of the lowest keys in rising order, of equal ones the first."""
    if limit is None or limit >= len(keys):
        return np.argsort(keys, kind="stable")
    if limit <= 0:
        return np.zeros(0, np.int64)
    highest = np.partition(keys, limit - 1)[limit - 1]
    lower = np.flatnonzero(keys < highest)
    ties = np.flatnonzero(keys == highest)[: limit - len(lower)]
    chosen = np.sort(np.concatenate([lower, ties]))
    return chosen[np.argsort(keys[chosen], kind="stable")]


def _combined(ranks: Sequence[Longs]) -> Longs | None:
    """Folds several keys into one integer each; None where they do not fit."""
    room = 1
    total = np.zeros(len(ranks[0]), np.int64)
    for each in ranks:
        span = int(each.max(initial=0)) + 1
        room *= span
        if room >= 2**62:
            return None
        total = total * span + each
    return total


class _Cells(NamedTuple):
    """One chosen value per document of one type: its integer key, and how to read it back."""

    docs: Ints
    keys: Longs
    bracket: int
    terms: Sequence[str] = ()


class _Column:
    """Ranks and values of one path for one direction."""

    def __init__(self, key: SortKey, parts: Sequence[_Cells], nulls: Ints, size: int, whole: bool) -> None:
        self._key = key
        self._whole = whole
        self._terms = {part.bracket: part.terms for part in parts}
        self._brackets = np.zeros(size, np.int8)
        self._values = np.zeros(size, np.int64)
        for part in sorted(parts, key=lambda part: part.bracket, reverse=not key.descending):
            self._brackets[part.docs] = part.bracket
            self._values[part.docs] = part.keys
        if key.descending == key.missing_highest:  # a null, missing like nothing at all, is what is chosen
            self._brackets[nulls] = MISSING
            self._values[nulls] = 0
        self.ranks = self._ranked(size)

    def _ranked(self, size: int) -> Longs:
        brackets = self._brackets.copy()
        if self._key.missing_highest:
            brackets[brackets == MISSING] = DATE + 1
        order = np.lexsort((self._values, brackets))
        step = np.zeros(size, np.int64)
        step[1:] = (self._values[order][1:] != self._values[order][:-1]) | (
            brackets[order][1:] != brackets[order][:-1]
        )
        ranks = np.empty(size, np.int64)
        ranks[order] = np.cumsum(step)
        return int(ranks.max(initial=0)) - ranks if self._key.descending else ranks

    def value(self, doc: int) -> Any:
        """Reads the sort value of a document."""
        bracket, value = int(self._brackets[doc]), int(self._values[doc])
        if bracket == MISSING:
            return MaxKey() if self._key.missing_highest else MinKey()
        if bracket == NUMBER:
            return Int64(value) if self._whole else _from_sortable(value)
        if bracket == DATE:
            return _date(value)
        term = self._terms[bracket][value]
        if bracket == OBJECT_ID:
            return ObjectId(term)
        if bracket == BOOLEAN:
            return term == TRUE_TERM
        return Binary.from_uuid(UUID(term)) if bracket == BINARY else term


def _column(key: SortKey, mapping: SearchMapping, partition: Partition, scope: Scope) -> _Column:
    path = key.path or ""
    node = mapping.listed(path, scope)
    if node is None and mapping.node(path, scope) is not None:
        raise EngineRefusal(f"Field {path} under return scope {scope.path} is not indexed as sortable")
    if node is None or not (node.fields or node.embedded or node.children):
        raise EngineRefusal(f"{path} is not indexed as sortable")
    cache = partition.derived
    found = cache.get(("sort", scope, key))
    if found is None:
        parts = list(_parts(node.fields, partition, key.descending))
        nulls = partition.postings(scope.field("null", path), NULL_TERM).docs
        whole = node.number is not None and node.number.whole
        found = cache["sort", scope, key] = _Column(key, parts, nulls, partition.documents.size, whole)
    return found


def _parts(fields: Mapping[str, Any], partition: Partition, greatest: bool) -> list[_Cells]:
    parts = []
    for kind, field in fields.items():
        if kind in _NUMBER_KINDS and field.name in partition.numbers:
            cells = partition.numbers[field.name].view.cells
            keys = cells.values if cells.values.dtype == np.int64 else to_sortable(cells.values)
            docs, keys = _reduced(cells.docs, keys, greatest)
            parts.append(_Cells(docs, keys, _NUMBER_KINDS[kind]))
        elif kind in _TERM_KINDS and field.name in partition.terms:
            inverted = partition.terms[field.name]
            owners, ranks = inverted.view.forward
            docs, keys = _reduced(owners, ranks.astype(np.int64), greatest)
            parts.append(_Cells(docs, keys, _TERM_KINDS[kind], inverted.view.dictionary.terms))
    return parts


def _reduced(docs: Ints, keys: Longs, greatest: bool) -> tuple[Ints, Longs]:
    """Keeps the least or greatest key of each document (documents come in rising order)."""
    if not len(docs):
        return docs, keys
    heads = np.flatnonzero(np.concatenate([[True], docs[1:] != docs[:-1]]))
    choose = np.maximum if greatest else np.minimum
    return docs[heads], choose.reduceat(keys, heads)


def _from_sortable(key: int) -> float:
    if key == NAN_KEY:
        return float("nan")
    bits = np.int64(key)
    bits = bits ^ np.int64(0x7FFFFFFFFFFFFFFF) if key < 0 else bits
    return float(bits.view(np.float64))


def _date(millis: int) -> datetime | DatetimeMS:
    try:
        return (_EPOCH + timedelta(milliseconds=millis)).replace(tzinfo=None)
    except OverflowError:
        return DatetimeMS(millis)
