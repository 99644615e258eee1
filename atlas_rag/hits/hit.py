"""One returned document, with its rank, its score and where both came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.hits.contributions import Contribution, Contributions
from atlas_rag.hits.score import Score
from atlas_rag.quick_init import quick_init


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
    def ranks(self) -> dict[str, int | None]:
        """The rank in each input pipeline of a fusion, by name; None where it did not return the document."""
        said = self.contributions
        if isinstance(said, Contributions):
            return said.ranks()
        return {name: contribution.rank for name, contribution in said.items()}

    @property
    def unscored(self) -> bool:
        """Whether the deployment reported no score."""
        return self.score is None
