"""From the rows of input pipelines to the rows of a fusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.fusion import FusedItem, RankedList
from atlas_rag.inprocess.mql.values import sort_key
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.search.fusion_stages.inputs import InputPipeline

Describe = Callable[[FusedItem, list[Row | None]], Mapping[str, Any]]


@dataclass(frozen=True)
class Found:
    """What one input pipeline returned.

    `ranked` names documents by the sort keys of their `_id`s, which are equal as the server compares them;
    `rows` leads from there back, of two with one `_id` to the first.
    """

    ranked: RankedList
    rows: Mapping[Key, Row]

    @classmethod
    def of(cls, source: InputPipeline, variables: Mapping[str, Any], score: Callable[[Row], Any]) -> Found:
        """Runs an input pipeline; `score` gives what each row is ranked, or scored, by."""
        rows = list(source.rows(variables))
        keys = [sort_key(row.doc.get("_id")) for row in rows]
        by_key = dict(zip(reversed(keys), reversed(rows), strict=True))
        return cls(RankedList(source.name, keys, [score(row) for row in rows]), by_key)


def by_key(key: Key) -> Key:
    """The `id_key` of lists that name documents by sort keys already."""
    return key


def fused_rows(
    items: Sequence[FusedItem], found: Sequence[Found], describe: Describe | None
) -> Iterator[Row]:
    """Rows in fused order: the document of the first input pipeline that has it, and its metadata."""
    for item in items:
        rows = [each.rows.get(item.id) for each in found]
        document = next(row.doc for row in rows if row is not None)
        meta: dict[str, Any] = {"score": item.score, "sortKey": [item.score, document.get("_id")]}
        if describe is not None:
            meta["scoreDetails"] = describe(item, rows)
        yield Row(document, meta)
