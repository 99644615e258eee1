"""Bringing the entries of several input pipelines together by `_id`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.fusion.id_order import IdKey
from atlas_rag.fusion.lists import Contribution, FusedItem

Entries = list[Contribution]


class Merge:
    """The union of input pipelines: one row of entries per `_id`, one column per pipeline, in name order."""

    def __init__(self, weights: Mapping[str, float], id_key: IdKey) -> None:
        self._absent = [Contribution(name, None, weight, 0.0) for name, weight in weights.items()]
        self._id_key = id_key
        self._rows: dict[Any, tuple[Any, Entries]] = {}

    def add(self, column: int, identity: Any, entry: Contribution) -> None:
        """Enters one document of the pipeline in `column`; of two with one `_id` the larger value stays."""
        key = self._id_key(identity)
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = identity, self._absent.copy()
        entries = row[1]
        if entries[column] is self._absent[column] or entry.value > entries[column].value:
            entries[column] = entry

    def present(self, entries: Entries) -> int:
        """How many of the pipelines returned the document of these entries."""
        return sum(entry is not absent for entry, absent in zip(entries, self._absent, strict=True))

    def ranked(self, score: Callable[[Any, Entries], float], limit: int | None) -> list[FusedItem]:
        """The best `limit` documents by descending score (NaN last), ties by ascending `_id`."""
        scored = [(key, score(identity, entries)) for key, (identity, entries) in self._rows.items()]
        scored.sort(key=_first)
        scored.sort(key=_descending)
        rows = self._rows
        return [FusedItem(rows[key][0], value, tuple(rows[key][1])) for key, value in scored[:limit]]


def _first(pair: tuple[Any, float]) -> Any:
    return pair[0]


def _descending(pair: tuple[Any, float]) -> float:
    return math.inf if pair[1] != pair[1] else -pair[1]
