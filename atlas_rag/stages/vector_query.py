"""What the stage `$vectorSearch` and the operator `vectorSearch` have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.errors import CallError, Code
from atlas_rag.stages import checks
from atlas_rag.stages.array_vector import ArrayVector, read_vector
from atlas_rag.stages.spelling import Read, WireModel, frozen, invalid, spelled_class
from atlas_rag.stages.vector import MAX_CANDIDATES, Vector


@spelled_class
class NestedOptions(WireModel):
    """How the scores of several vectors of one document become one.

    Args:
        score_mode: `max` (default) or `avg`, over every vector of the document.
    """

    label: ClassVar[str] = "nestedOptions"

    score_mode: Annotated[str | None, checks.one_of("max", "avg")] = None


@spelled_class
class ExplainOptions(WireModel):
    """What `explain` tells of an approximate search.

    Args:
        trace_document_ids: `_id`s whose way through the graph is told, one or more.
    """

    label: ClassVar[str] = "explainOptions"

    trace_document_ids: Annotated[tuple[Any, ...] | None, checks.each(checks.anything)] = None


def _vector(value: Any, name: str) -> None:
    if not isinstance(value, (Vector, ArrayVector)):
        raise CallError(
            f"{name} is a {type(value).__name__}",
            expected="a Vector or ArrayVector",
            next_step="as_vector(numbers) makes one",
            code=Code.INVALID_VECTOR,
        )


def _read_text(value: Any) -> Any:
    """`{text: …}` says the same as the text itself."""
    return value.get("text") if isinstance(value, Mapping) and set(value) == {"text"} else frozen(value)


@spelled_class
class VectorQuery(WireModel):
    """The options of a vector query, and the rules between them; a base, of no use alone."""

    query_vector: Annotated[Vector | ArrayVector | None, _vector, Read(read_vector)] = None
    query: Annotated[str | None, checks.text, Read(_read_text)] = None
    model: Annotated[str | None, checks.word] = None
    limit: Annotated[int, checks.integer(1)]
    num_candidates: Annotated[int | None, checks.integer(1, MAX_CANDIDATES)] = None
    exact: Annotated[bool | None, checks.flag] = None
    nested_options: Annotated[
        NestedOptions | None, checks.instance(NestedOptions), Read(NestedOptions.read)
    ] = None
    explain_options: Annotated[
        ExplainOptions | None, checks.instance(ExplainOptions), Read(ExplainOptions.read)
    ] = None
    return_stored_source: Annotated[bool | None, checks.flag] = None

    def validate(self) -> None:
        self._check_query()
        if self.exact:
            self._check_exact()
        elif self.num_candidates is None:
            raise invalid(f"{self.label} has neither numCandidates nor exact", "one of the two")
        elif self.limit > self.num_candidates:
            raise invalid(
                f"{self.label}.limit {self.limit} is above numCandidates {self.num_candidates}",
                f"limit ≤ numCandidates ≤ {MAX_CANDIDATES}",
            )

    def _check_query(self) -> None:
        if (self.query_vector is None) == (self.query is None):
            raise invalid(f"{self.label} has not exactly one of queryVector and query", "one of the two")
        if self.model is not None and self.query is None:
            raise invalid(f"{self.label} has a model and no query", "a model beside a query text")

    def _check_exact(self) -> None:
        if self.num_candidates is not None:
            raise invalid(f"{self.label} is exact and has numCandidates", "one of the two")
        if self.explain_options is not None:
            raise invalid(f"{self.label} is exact and has explainOptions", "an approximate search")
