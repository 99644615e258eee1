"""`$vectorSearch`: nearest neighbours of a query vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.errors import CallError, Code
from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Read, invalid, spelled_class
from atlas_rag.stages.stage import SpelledStage
from atlas_rag.stages.vector import Vector, as_vector

MAX_CANDIDATES = 10_000
"""Source: `numCandidates` 1…10000."""


def _vector(value: Any, name: str) -> None:
    if not isinstance(value, Vector):
        raise CallError(
            f"{name} is a {type(value).__name__}",
            expected="a Vector",
            next_step="as_vector(numbers) makes one",
            code=Code.INVALID_VECTOR,
        )


@spelled_class
class VectorSearch(SpelledStage):
    """Finds the documents whose vector at `path` is nearest to `query_vector`; must be the first stage.

    Args:
        index: name of a vectorSearch index; there is no default, a wrong name returns nothing.
        path: dotted path of a `vector` field of that index.
        query_vector: as `as_vector` makes it, as many dimensions as the index.
        limit: documents returned, ≥ 1; at most `num_candidates`.
        num_candidates: neighbours visited by an approximate search, 1…10 000; 20 × limit is advised.
        exact: scan every vector instead; then without `num_candidates`.
        filter: in the language of `$vectorSearch` (see `atlas_rag.stages.filters`).
        return_stored_source: answer from the index without looking documents up; server 8.2.

    Score: `{$meta: "vectorSearchScore"}`, cosine and dotProduct (1 + s)/2, euclidean 1/(1 + d²).
    Needs: server 6.0.11 / 7.0.2, `exact` 6.0.16 / 7.0.10; a vectorSearch index.
    Source: MongoDB documentation, $vectorSearch.
    """

    label: ClassVar[str] = "$vectorSearch"

    index: Annotated[str, checks.text]
    path: Annotated[str, checks.text]
    query_vector: Annotated[Vector, _vector, Read(as_vector)]
    limit: Annotated[int, checks.integer(1)]
    num_candidates: Annotated[int | None, checks.integer(1, MAX_CANDIDATES)] = None
    exact: Annotated[bool | None, checks.flag] = None
    filter: Annotated[Mapping[str, Any] | None, checks.instance(dict)] = None
    return_stored_source: Annotated[bool | None, checks.flag] = None

    def validate(self) -> None:
        if self.exact and self.num_candidates is not None:
            raise invalid("$vectorSearch is exact and has numCandidates", "one of the two")
        if not self.exact and self.num_candidates is None:
            raise invalid("$vectorSearch has neither numCandidates nor exact", "one of the two")
        if self.num_candidates is not None and self.limit > self.num_candidates:
            raise invalid(
                f"$vectorSearch.limit {self.limit} is above numCandidates {self.num_candidates}",
                "limit ≤ numCandidates ≤ 10000",
            )
