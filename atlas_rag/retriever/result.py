"""What a retrieval returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from atlas_rag.hits import Evidence, Hit
from atlas_rag.plan import Plan
from atlas_rag.retriever.options import RetrievalOptions


@dataclass(frozen=True, slots=True)
class Result:
    """Hits in order, with the plan that found them and the evidence of what else was considered.

    `plan` is None where the query rewriter decided that nothing is to be searched. `options` are those that
    held for the call.
    """

    hits: tuple[Hit, ...]
    plan: Plan | None = field(repr=False)
    evidence: Evidence = field(repr=False)
    options: RetrievalOptions = field(repr=False)
    rejected: tuple[Hit, ...] = field(default=(), repr=False)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, position: int) -> Hit:
        return self.hits[position]
