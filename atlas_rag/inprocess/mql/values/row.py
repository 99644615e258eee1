"""One document on its way through a pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.mql.values.types import Document

NO_METADATA: Mapping[str, Any] = {}


class Row:
    """A document, and the metadata that `$meta` reads.

    Documents are shared with the store: a stage builds new ones, it never changes what it was given.
    """

    __slots__ = ("doc", "meta")

    def __init__(self, doc: Document, meta: Mapping[str, Any] = NO_METADATA) -> None:
        self.doc = doc
        self.meta = meta

    def __repr__(self) -> str:
        return f"Row({self.doc!r}, {dict(self.meta)!r})"
