"""The query vector fits the index that it is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input


def check_vectors(draft: Draft, vectors: Mapping[str, Any]) -> None:
    """Refuses a missing query vector, one of another length than the index, a zero one under cosine.

    Args:
        vectors: by input pipeline name.

    Raises:
        CallError: INVALID_VECTOR.
    """
    draft.each_input(lambda one: _check(draft, one, vectors.get(one.name)) if one.needs_vector else None)


def _check(draft: Draft, source: Input, vector: Any) -> None:
    if vector is None:
        raise _refused(
            f"The input pipeline {source.name!r} has no query vector",
            "vector=…, or a retriever with an embedder",
            "pass vector=, set embedder=, or ask for mode='keyword'",
        )
    index = draft.report.index(source.index)
    path = source.vector_paths[0] if source.vector_paths else ""
    field = index.vector_field(path) if index is not None else None
    if field is None:
        return
    dimensions = field.get("numDimensions")
    if dimensions is not None and dimensions != vector.dimensions:
        raise _refused(
            f"The query vector has {vector.dimensions} dimensions",
            f"{dimensions}, as {path!r} in the index {source.index!r}",
            "use the embedder that the documents were embedded with",
        )
    if field.get("similarity") == "cosine" and vector.is_zero:
        raise _refused(
            "The query vector is zero and has no direction",
            f"a vector that cosine similarity can compare, for {path!r}",
            "ask a question whose words the embedder knows, or with mode='keyword'",
        )


def _refused(problem: str, expected: str, next_step: str) -> CallError:
    return CallError(problem, expected=expected, next_step=next_step, code=Code.INVALID_VECTOR)
