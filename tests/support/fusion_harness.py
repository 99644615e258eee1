"""What the tests of the fusion stages share: a collection, and indexes that answer with fixed hits."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.index import Answer, IndexHit
from atlas_rag.inprocess.mql.stages import Context, run
from atlas_rag.inprocess.search import fusion_stages as fusion_stages
from tests.support.local_database import ListCollection, ListDatabase

SCORED = {"$project": {"score": {"$meta": "score"}}}
DETAILED = {"$project": {"details": {"$meta": "scoreDetails"}}}


class FixedIndex:
    """An index that always answers with the same hits, best first."""

    def __init__(self, keys: list[int], scores: list[float] | None = None, **meta: Any) -> None:
        values = scores or [1.0 - at / 100 for at in range(len(keys))]
        self._hits = [IndexHit(key, score, meta) for key, score in zip(keys, values, strict=True)]

    def put(self, key, document) -> None: ...
    def remove(self, key) -> None: ...
    def save(self, folder) -> None: ...

    def search(self, body, *, limit=None, meta_only=False, tokens=False) -> Answer:
        return Answer(self._hits[:limit], {})


def aggregate(
    pipeline: list[Any], documents: list[dict[str, Any]], release=(8, 2), indexes=None, **options: Any
) -> list[dict[str, Any]]:
    database = ListDatabase(c=ListCollection(documents, indexes))
    return list(run(pipeline, Context(database, release=release, **options), "c"))


def ids(rows: list[dict[str, Any]]) -> list[Any]:
    return [row["_id"] for row in rows]


def code_of(pipeline: list[Any], documents: list[dict[str, Any]], **rest: Any) -> int:
    """The code that a pipeline is refused with."""
    with pytest.raises(CommandError) as caught:
        aggregate(pipeline, documents, **rest)
    return caught.value.code
