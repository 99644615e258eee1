"""The best documents of all partitions, in the engine's order."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from typing import Any, NamedTuple

import numpy as np
from bson import MaxKey, MinKey, ObjectId
from bson.binary import Binary
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.queries.base import Matches
from atlas_rag.inprocess.search.search_index.sorting import Sorter, SortKey


class Placed(NamedTuple):
    """One ranked document: its partition, its number there, its score, and its sort values if sorted."""

    partition: int
    doc: int
    score: float
    values: Sequence[Any] = ()


def best_by_score(matches: Sequence[Matches], limit: int | None) -> list[Placed]:
    """Ranks by score, highest first; of equal scores the earlier partition, then the earlier document."""
    if len(matches) == 1:
        docs, scores = matches[0]
        chosen = top(scores, limit)
        pairs = zip(docs[chosen].tolist(), scores[chosen].tolist(), strict=True)
        return [Placed(0, doc, score) for doc, score in pairs]
    scores = np.concatenate([part.scores for part in matches])
    docs = np.concatenate([part.docs for part in matches])
    owners = np.repeat(np.arange(len(matches)), [len(part.docs) for part in matches])
    return [Placed(int(owners[at]), int(docs[at]), float(scores[at])) for at in top(scores, limit)]


def top(scores: NDArray[np.float32], limit: int | None) -> NDArray[np.int64]:
    """Returns the places of the highest scores in falling order, of equal ones the first."""
    count = len(scores)
    if limit is None or limit >= count:
        return np.argsort(-scores, kind="stable")
    if limit <= 0:
        return np.zeros(0, np.int64)
    lowest = np.partition(scores, count - limit)[count - limit]
    higher = np.flatnonzero(scores > lowest)
    ties = np.flatnonzero(scores == lowest)[: limit - len(higher)]
    chosen = np.sort(np.concatenate([higher, ties]))
    return chosen[np.argsort(-scores[chosen], kind="stable")]


def best_by_values(
    matches: Sequence[Matches], sorters: Sequence[Sorter], keys: Sequence[SortKey], limit: int | None
) -> list[Placed]:
    """Ranks by sort values; of equal ones the earlier partition, then the earlier document."""
    placed = []
    for number, (part, sorter) in enumerate(zip(matches, sorters, strict=True)):
        for at in sorter.order(part.docs, part.scores, limit):
            doc, score = int(part.docs[at]), float(part.scores[at])
            placed.append(Placed(number, doc, score, sorter.values(doc, score)))
    if len(matches) > 1:

        def compare(one: Placed, other: Placed) -> int:
            return compare_values(one.values, other.values, keys)

        placed.sort(key=cmp_to_key(compare))
    return placed[:limit]


def compare_values(one: Sequence[Any], other: Sequence[Any], keys: Sequence[SortKey]) -> int:
    """Compares sort values: negative where the first comes first."""
    for left, right, key in zip(one, other, keys, strict=True):
        first, second = _comparable(left), _comparable(right)
        if first != second:
            smaller = first < second
            return 1 if smaller is key.descending else -1
    return 0


_BRACKETS: tuple[tuple[type | tuple[type, ...], int], ...] = (
    (MinKey, 0),
    (MaxKey, 9),
    (bool, 5),
    ((int, float), 1),
    (str, 2),
    (Binary, 3),
    (ObjectId, 4),
)


def _comparable(value: Any) -> tuple[int, Any]:
    """Maps a sort value to something that orders as the engine does."""
    for kind, bracket in _BRACKETS:
        if isinstance(value, kind):
            if bracket in (0, 9):
                return bracket, 0
            if isinstance(value, float) and value != value:
                return bracket, float("-inf")
            return bracket, value
    return 6, value
