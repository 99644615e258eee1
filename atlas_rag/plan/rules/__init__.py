"""One planning rule per file; two tuples are their order."""

from __future__ import annotations

from collections.abc import Callable

from atlas_rag.plan.draft import Draft
from atlas_rag.plan.rules.condition import choose_condition
from atlas_rag.plan.rules.depth import choose_depth
from atlas_rag.plan.rules.limits import check_sizes, check_window
from atlas_rag.plan.rules.mode import choose_mode
from atlas_rag.plan.rules.require_hybrid import check_required_hybrid
from atlas_rag.plan.rules.route import choose_route
from atlas_rag.plan.rules.vector import check_vector
from atlas_rag.plan.rules.weights import choose_weights

Rule = Callable[[Draft], None]

BEFORE_EMBEDDING: tuple[Rule, ...] = (
    check_window,
    check_required_hybrid,
    choose_mode,
    choose_condition,
    choose_weights,
    choose_depth,
    choose_route,
)
AFTER_EMBEDDING: tuple[Rule, ...] = (check_vector,)

__all__ = ["AFTER_EMBEDDING", "BEFORE_EMBEDDING", "Rule", "check_sizes"]
