"""Bringing the documents of several input pipelines together by `_id`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.fusion.ids import IdKey
from atlas_rag.fusion.lists import Contribution, FusedItem, RankedList


@dataclass(frozen=True, slots=True)
class Column:
    """One input pipeline, its documents at the places at which it lists them.

    Args:
        values: what each document gets from the pipeline; `ranks` and `raws` as in `Contribution`.
        places: by document key; of a document that is listed twice, the place of the larger value.
    """

    name: str
    weight: float
    places: dict[Any, int]
    values: Sequence[float]
    ranks: Sequence[int] | None
    raws: Sequence[float | None]

    @classmethod
    def of(
        cls,
        ranked: RankedList,
        weight: float,
        id_key: IdKey,
        *,
        values: Sequence[float],
        ranks: Sequence[int] | None,
        raws: Sequence[float | None],
    ) -> Column:
        """Arranges what one pipeline returned."""
        keys = list(map(id_key, ranked.ids))
        places = dict(zip(reversed(keys), range(len(keys) - 1, -1, -1), strict=True))
        if len(places) < len(keys):
            for place, key in enumerate(keys):
                if values[place] > values[places[key]]:
                    places[key] = place
        return cls(ranked.name, weight, places, values, ranks, raws)

    def contribution(self, key: Any, *, floor: float) -> Contribution:
        """What the pipeline gave to one document; `floor` is the least value that counts."""
        place = self.places.get(key)
        if place is None:
            return Contribution(self.name, None, self.weight, 0.0)
        rank = None if self.ranks is None else self.ranks[place]
        return Contribution(self.name, rank, self.weight, max(self.values[place], floor), self.raws[place])


class Merge:
    """The union of input pipelines in name order."""

    def __init__(self, columns: Sequence[Column], lists: Sequence[RankedList]) -> None:
        self.columns = columns
        self.ids: dict[Any, Any] = {}
        for column, ranked in zip(reversed(columns), reversed(lists), strict=True):
            found = map(ranked.ids.__getitem__, column.places.values())
            self.ids.update(zip(column.places, found, strict=True))

    def chained_totals(self) -> dict[Any, float]:
        """The values of every document, added one pipeline after the other, as `chained_sum` does."""
        totals = dict.fromkeys(self.ids, 0.0)
        for column in self.columns:
            values = column.values
            for key, place in column.places.items():
                totals[key] += values[place]
        return totals

    def contributions(self, key: Any) -> tuple[Contribution, ...]:
        """What every pipeline gave to one document.

        The server takes the largest value that any row of the document holds for a pipeline, and rows of
        other pipelines hold 0: so a negative value counts only where no other pipeline found the document.
        """
        found = sum(key in column.places for column in self.columns)
        floor = 0.0 if found > 1 else -math.inf
        return tuple([column.contribution(key, floor=floor) for column in self.columns])

    def ranked(self, totals: Mapping[Any, float], limit: int | None) -> list[FusedItem]:
        """The best `limit` documents by descending total (NaN last), ties by ascending `_id`."""
        if math.isnan(sum(totals.values())):  # some may be NaN
            best = sorted(sorted(self.ids), key=lambda key: _descending(totals[key]))
        else:
            best = sorted(self._contenders(totals, limit), key=totals.__getitem__, reverse=True)  # keeps ties
        return [FusedItem(self.ids[key], totals[key], self.contributions(key)) for key in best[:limit]]

    def _contenders(self, totals: Mapping[Any, float], limit: int | None) -> list[Any]:
        """All that reach the total of the last of the best `limit`, by ascending `_id`."""
        if not limit or limit >= len(self.ids):
            return sorted(self.ids)
        bar = sorted(totals.values(), reverse=True)[limit - 1]
        return sorted([key for key in self.ids if totals[key] >= bar])


def _descending(total: float) -> float:
    return math.inf if total != total else -total


def in_name_order(lists: Iterable[RankedList]) -> list[RankedList]:
    """Input pipelines in the order in which the server handles them."""
    return sorted(lists, key=lambda ranked: ranked.name)
