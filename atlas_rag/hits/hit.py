"""One returned document, with its rank, its score and where both came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from atlas_rag.hits.score import Score, ScoreKind
from atlas_rag.quick_init import quick_init


class Contribution(NamedTuple):
    """What one input pipeline said about a document.

    Args:
        rank: 1-based competition rank there, or None where the pipeline did not return the document.
        weight: the pipeline's weight in the fusion.
        value: what was added to the fused score; 0 where the rank is None.
        raw: the pipeline's own raw score, or None where it was not reported; kind: what it measures.
    """

    rank: int | None
    weight: float
    value: float
    raw: float | None
    kind: ScoreKind

    @property
    def score(self) -> Score | None:
        """The raw score as a value of its kind, or None."""
        return None if self.raw is None else Score(self.raw, self.kind)


@quick_init
@dataclass(frozen=True, slots=True)
class Hit:
    """One document of a result.

    Args:
        id: the document's `_id`.
        rank: 1-based position in the result.
        score: of the result's kind, or None: unscored, never 0.
        document: the document without its vectors; not in `repr`.
        contributions: per input pipeline of a fusion, in name order; empty for a single pipeline.
    """

    id: Any
    rank: int
    score: Score | None
    document: Mapping[str, Any] = field(repr=False, hash=False, compare=False)
    contributions: Mapping[str, Contribution] = field(default_factory=dict, hash=False)

    def value_at(self, path: str) -> Any:
        """The value at a dotted path through sub-documents, or None."""
        value: Any = self.document
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    @property
    def unscored(self) -> bool:
        """Whether the deployment reported no score."""
        return self.score is None
