"""The query vector fits the index that it is for."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import VectorInput


def check_vector(draft: Draft) -> None:
    """Refuses a missing query vector, and one that is not as long as a known index definition wants.

    Raises:
        CallError: INVALID_VECTOR.
    """
    for one in draft.chosen:
        if isinstance(one, VectorInput):
            _check(draft, one)


def _check(draft: Draft, source: VectorInput) -> None:
    vector = draft.request.vector
    if vector is None:
        raise CallError(
            f"The input pipeline {source.name!r} has no query vector",
            expected="vector=…, or a retriever with an embedder",
            next_step="pass vector=, set embedder=, or ask for mode='keyword'",
            code=Code.INVALID_VECTOR,
        )
    index = draft.report.index(source.index)
    field = index.vector_field(source.path) if index is not None else None
    dimensions = field.get("numDimensions") if field is not None else None
    if dimensions is not None and dimensions != vector.dimensions:
        raise CallError(
            f"The query vector has {vector.dimensions} dimensions",
            expected=f"{dimensions}, as {source.path!r} in the index {source.index!r}",
            next_step="use the embedder that the documents were embedded with",
            code=Code.INVALID_VECTOR,
        )
