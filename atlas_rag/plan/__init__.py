"""4 CHOOSE: query and capability report to commands, route and reasons."""

from atlas_rag.plan.draft import DEFAULT_ROUTES, Draft, Reranking, Route, Setting
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.inputs import Input, KeywordInput, VectorInput, check_inputs
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
    "Plan",
    "Reranking",
    "Route",
    "Setting",
    "VectorInput",
    "begin",
    "check_inputs",
    "finish",
    "make_plan",
]
