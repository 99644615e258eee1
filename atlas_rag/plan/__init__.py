"""4 CHOOSE: query and capability report to commands, route and reasons."""

from atlas_rag.plan.draft import Route
from atlas_rag.plan.inputs import Input, KeywordInput, VectorInput, check_inputs
from atlas_rag.plan.plan import DEFAULT_ROUTES, Plan, finish, make_plan, needs_vector
from atlas_rag.plan.planner import Planner

__all__ = [
    "DEFAULT_ROUTES",
    "Input",
    "KeywordInput",
    "Plan",
    "Planner",
    "Route",
    "VectorInput",
    "check_inputs",
    "finish",
    "make_plan",
    "needs_vector",
]
