"""`$vectorSearch` as an input pipeline: the nearest neighbours of the question's vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from atlas_rag.plan.inputs.base import Ask, Input, check_word
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Stage, VectorSearch
from atlas_rag.stages.filters import to_vector_search


@known_names
@dataclass(frozen=True, slots=True, kw_only=True)
class VectorInput(Input):
    """A ranked source of nearest neighbours.

    Args:
        index: name of the vectorSearch index.
        path: dotted path of the vectors.
        name: input pipeline name; weights and contributions use it.
        exact: scan every vector instead of an approximate search.
    """

    mode: ClassVar[Mode] = Mode.VECTOR
    kind: ClassVar[ScoreKind] = ScoreKind.VECTOR_SIMILARITY
    index_type: ClassVar[str] = "vectorSearch"
    meta: ClassVar[str] = "vectorSearchScore"

    index: str = "vector_index"
    path: str = "embedding"
    name: str = "vector"
    exact: bool = False

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        check_word(self, "path")

    @property
    def needs_vector(self) -> bool:
        return True

    @property
    def approximate(self) -> bool:
        return not self.exact

    @property
    def vector_paths(self) -> tuple[str, ...]:
        return (self.path,)

    def stages(self, ask: Ask) -> list[Stage]:
        return [
            VectorSearch(
                index=self.index,
                path=self.path,
                query_vector=ask.vector,
                limit=ask.depth,
                num_candidates=None if self.exact else ask.num_candidates,
                exact=True if self.exact else None,
                filter=_spelled(ask.filter.inside),
                parent_filter=_spelled(ask.filter.parent),
            )
        ]


def _spelled(condition: Any) -> dict[str, Any] | None:
    return None if condition is None else to_vector_search(condition)
