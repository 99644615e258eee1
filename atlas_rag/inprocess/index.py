"""What the aggregation executor asks of a search index, whatever its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class IndexHit(NamedTuple):
    """One hit of one index.

    `key` is the collection's own row number; `score` a float32 widened to float; `meta` holds what the
    query asked for, under the `$meta` names: `searchHighlights`, `searchScoreDetails`,
    `searchSequenceToken`, `searchRootDocumentId`, and `storedSource` (the document to return instead of a
    look-up).
    """

    key: int
    score: float
    meta: Mapping[str, Any]


class Answer(NamedTuple):
    """Hits in order, and the document that `$$SEARCH_META` is (empty for a vector index)."""

    hits: Sequence[IndexHit]
    meta: Mapping[str, Any]


class Index(Protocol):
    """A search or vector index over the documents of one collection.

    Documents are known by an integer key. Putting a key again replaces the document and moves it behind
    all others, as a delete followed by an insert does in the real engine; ties are broken by that order.
    A write is cheap; the next search sees it. `search` raises `EngineRefusal`.
    """

    def put(self, key: int, document: Mapping[str, Any]) -> None: ...

    def remove(self, key: int) -> None: ...

    def search(
        self,
        body: Mapping[str, Any],
        *,
        limit: int | None = None,
        meta_only: bool = False,
        tokens: bool = False,
    ) -> Answer:
        """Answers the body of a `$search`, `$searchMeta` (`meta_only`) or `$vectorSearch` stage.

        Args:
            body: the stage's document as sent.
            limit: how many hits the pipeline can use at most; None for all. Never changes counts or order.
            meta_only: only `Answer.meta` is wanted.
            tokens: hits carry `searchSequenceToken`.
        """
        ...

    def save(self, folder: Path) -> None:
        """Writes all that is needed to reopen without analysing a document again."""
        ...
