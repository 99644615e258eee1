"""4 CHOOSE: query and capability report to commands, route and reasons."""

from atlas_rag.plan.draft import Route
from atlas_rag.plan.inputs import Input, KeywordInput, VectorInput, check_inputs
from atlas_rag.plan.plan import Plan, make_plan

__all__ = ["Input", "KeywordInput", "Plan", "Route", "VectorInput", "check_inputs", "make_plan"]
