"""From the rows of input pipelines to the rows of a fusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.engines.local.ranking.inputs import InputPipeline
from atlas_rag.engines.local.values import sort_key
from atlas_rag.engines.local.values.row import Row
from atlas_rag.fusion import FusedItem, RankedList

Describe = Callable[[FusedItem, list[Row | None]], Mapping[str, Any]]


@dataclass(frozen=True)
class Found:
    """What one input pipeline returned."""

    ranked: RankedList
    rows: Sequence[Row]

    @classmethod
    def of(cls, source: InputPipeline, variables: Mapping[str, Any], key: Callable[[Row], Any]) -> Found:
        """Runs an input pipeline; `key` gives what each row is ranked, or scored, by."""
        rows = list(source.rows(variables))
        return cls(
            RankedList(source.name, [row.doc.get("_id") for row in rows], [key(row) for row in rows]), rows
        )

    def by_id(self) -> dict[Any, Row]:
        """Its rows by the sort key of their `_id`; of two with one `_id` the first."""
        return {sort_key(row.doc.get("_id")): row for row in reversed(self.rows)}


def fused_rows(
    items: Sequence[FusedItem], found: Sequence[Found], describe: Describe | None
) -> Iterator[Row]:
    """Rows in fused order: the document of the first input pipeline that has it, and its metadata."""
    by_id = [each.by_id() for each in found]
    for item in items:
        key = sort_key(item.id)
        rows = [each.get(key) for each in by_id]
        meta: dict[str, Any] = {"score": item.score, "sortKey": [item.score, item.id]}
        if describe is not None:
            meta["scoreDetails"] = describe(item, rows)
        yield Row(next(row.doc for row in rows if row is not None), meta)
