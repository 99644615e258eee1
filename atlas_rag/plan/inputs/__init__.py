"""The input pipelines a retriever has: ranked sources of documents, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.plan.inputs.base import Ask, Input, InputFilter, check_inputs
    from atlas_rag.plan.inputs.forms import INPUTS, read_input
    from atlas_rag.plan.inputs.keyword import KeywordInput
    from atlas_rag.plan.inputs.pipeline import PipelineInput
    from atlas_rag.plan.inputs.search import SearchInput
    from atlas_rag.plan.inputs.vector import VectorInput

__all__ = [
    "INPUTS",
    "Ask",
    "Input",
    "InputFilter",
    "KeywordInput",
    "PipelineInput",
    "SearchInput",
    "VectorInput",
    "check_inputs",
    "read_input",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "base": (
            "Ask",
            "Input",
            "InputFilter",
            "check_inputs",
        ),
        "forms": (
            "INPUTS",
            "read_input",
        ),
        "keyword": ("KeywordInput",),
        "pipeline": ("PipelineInput",),
        "search": ("SearchInput",),
        "vector": ("VectorInput",),
    },
)
