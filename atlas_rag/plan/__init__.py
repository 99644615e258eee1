"""4 CHOOSE: query and capability report to commands, route and reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.plan.draft import DEFAULT_ROUTES, Draft, Reranking, Route, Setting
    from atlas_rag.plan.fusion import Fusion
    from atlas_rag.plan.inputs import (
        Input,
        KeywordInput,
        PipelineInput,
        SearchInput,
        VectorInput,
        check_inputs,
        read_input,
    )
    from atlas_rag.plan.note import Cause, Note
    from atlas_rag.plan.plan import Plan, begin, finish, make_plan

__all__ = [
    "DEFAULT_ROUTES",
    "Cause",
    "Draft",
    "Fusion",
    "Input",
    "KeywordInput",
    "Note",
    "PipelineInput",
    "Plan",
    "Reranking",
    "Route",
    "SearchInput",
    "Setting",
    "VectorInput",
    "begin",
    "check_inputs",
    "finish",
    "make_plan",
    "read_input",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "draft": (
            "DEFAULT_ROUTES",
            "Draft",
            "Reranking",
            "Route",
            "Setting",
        ),
        "fusion": ("Fusion",),
        "inputs": (
            "Input",
            "KeywordInput",
            "PipelineInput",
            "SearchInput",
            "VectorInput",
            "check_inputs",
            "read_input",
        ),
        "note": (
            "Cause",
            "Note",
        ),
        "plan": (
            "Plan",
            "begin",
            "finish",
            "make_plan",
        ),
    },
)
