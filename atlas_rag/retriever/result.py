"""What a retrieval returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from atlas_rag.hits import Evidence, Hit
from atlas_rag.hits.evidence import WORDS
from atlas_rag.plan import Plan
from atlas_rag.query.options import RetrievalOptions


@dataclass(frozen=True)
class Result:
    """Hits in order, with the plan that found them and the evidence of what else was considered.

    `plan` is None where nothing was searched. `options` are those that held for the call.
    """

    hits: tuple[Hit, ...]
    plan: Plan | None = field(repr=False)
    recorded: Callable[[], Evidence] = field(repr=False, compare=False)
    """Makes the evidence."""
    options: RetrievalOptions = field(repr=False)
    rejected: tuple[Hit, ...] = field(default=(), repr=False)

    @cached_property
    def evidence(self) -> Evidence:
        """What was considered, and why what was not admitted was not; made when it is first read."""
        return self.recorded()

    @property
    def why_empty(self) -> str | None:
        """Why there is no hit, in words for a person, with whatever else went otherwise than asked."""
        reason = self.evidence.empty_reason
        if reason is None:
            return None
        return "; ".join((WORDS[reason], *self.evidence.notes))

    def __repr__(self) -> str:
        if self.hits:
            kind = self.hits[0].score.kind.value if self.hits[0].score else "unscored"
            return f"Result({len(self.hits)} hits, {kind})"
        return f"Result(no hits: {self.evidence.empty_reason})"

    def __getstate__(self) -> dict[str, Any]:
        evidence = self.evidence
        return {**vars(self), "recorded": partial(_known, evidence)}

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, position: int) -> Hit:
        return self.hits[position]


def _known(evidence: Evidence) -> Evidence:
    return evidence
