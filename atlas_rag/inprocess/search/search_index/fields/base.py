"""What every mapped type can do."""

from __future__ import annotations

from typing import Any, Protocol

from atlas_rag.inprocess.search.search_index.partition import Partition


class Field(Protocol):
    """One type at one path: which values it takes, and what it keeps of them."""

    name: str
    accepts: tuple[type, ...]

    def index(self, partition: Partition, doc: int, value: Any, *, single: bool) -> None:
        """Adds one value of a document.

        Args:
            single: the value is not an element of an array.
        """
