"""Input pipelines as recipes and JSON hold them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Input
from atlas_rag.plan.inputs.keyword import KeywordInput
from atlas_rag.plan.inputs.pipeline import PipelineInput
from atlas_rag.plan.inputs.search import SearchInput
from atlas_rag.plan.inputs.vector import VectorInput
from atlas_rag.query.refusal import unknown_name
from atlas_rag.stages.placeholders import from_form

INPUTS: Mapping[str, type[Input]] = {
    one.form: one for one in (VectorInput, KeywordInput, SearchInput, PipelineInput)
}
"""Every kind of input pipeline by its `kind` in a recipe."""


def read_input(document: Mapping[str, Any], embedders: Mapping[str, Any] | None = None) -> Input:
    """Reads what `Input.to_dict` writes.

    Args:
        embedders: by id, for inputs that have one of their own.

    Raises:
        CallError: INVALID_OPTION for an unknown kind, option or embedder.
    """
    given = {name: from_form(value) for name, value in document.items()}
    kind = given.pop("kind", None)
    if kind not in INPUTS:
        raise unknown_name("kind of input pipeline", kind, INPUTS)
    if isinstance(given.get("embedder"), str):
        given["embedder"] = _embedder(given["embedder"], embedders or {})
    try:
        return INPUTS[kind](**given)
    except TypeError as error:
        raise CallError(
            f"The input pipeline {given.get('name', kind)!r} is not complete",
            expected="a name, and an operator or stages",
            next_step="add what is missing",
        ) from error


def _embedder(name: str, known: Mapping[str, Any]) -> Any:
    if name not in known:
        raise CallError(
            f"The embedder {name!r} of an input pipeline is not at hand",
            expected=f"one of {', '.join(known) or '(none given)'}",
            next_step="pass embedders={id: embedder}",
        )
    return known[name]
