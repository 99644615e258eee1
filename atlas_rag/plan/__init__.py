"""4 CHOOSE: query and capability report to commands, route and reasons."""

from atlas_rag.plan.draft import Route
from atlas_rag.plan.inputs import Input, KeywordInput, VectorInput, check_inputs
from atlas_rag.plan.plan import DEFAULT_ROUTES, Plan, begin, finish, make_plan, needs_vector

__all__ = [
    "DEFAULT_ROUTES",
    "Input",
    "KeywordInput",
    "Plan",
    "Route",
    "VectorInput",
    "begin",
    "check_inputs",
    "finish",
    "make_plan",
    "needs_vector",
]
