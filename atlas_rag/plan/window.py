"""How many documents pass each point of a retrieval; computed once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """The documents of one page, and those beyond it that are looked at.

    Args:
        first: documents passed over before the first that comes back.
        rows: documents that come back at most.
        hits: limit + skip, or the candidates of a reranker: what an input pipeline must be able to fill.
    """

    first: int = 0
    rows: int = 0
    hits: int = 0

    @property
    def fetched(self) -> int:
        """Documents asked for from the first on, those passed over included."""
        return self.first + self.rows
