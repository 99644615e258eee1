"""One planning rule per file; two tuples are their order."""

from __future__ import annotations

from collections.abc import Callable

from atlas_rag.plan.draft import Draft
from atlas_rag.plan.rules.beside import choose_beside
from atlas_rag.plan.rules.depth import choose_depth
from atlas_rag.plan.rules.diversity import choose_diversity
from atlas_rag.plan.rules.filters import choose_filters
from atlas_rag.plan.rules.floors import choose_floors
from atlas_rag.plan.rules.keywords import choose_keywords
from atlas_rag.plan.rules.mode import choose_mode
from atlas_rag.plan.rules.require_hybrid import check_required_hybrid
from atlas_rag.plan.rules.reranking import choose_reranking
from atlas_rag.plan.rules.route import choose_route
from atlas_rag.plan.rules.thresholds import choose_thresholds
from atlas_rag.plan.rules.vector import check_vectors
from atlas_rag.plan.rules.weights import choose_weights
from atlas_rag.plan.rules.window import choose_window

Rule = Callable[[Draft], None]

BEFORE_EMBEDDING: tuple[Rule, ...] = (
    choose_reranking,
    choose_window,
    choose_diversity,
    check_required_hybrid,
    choose_mode,
    choose_keywords,
    choose_filters,
    choose_beside,
    choose_weights,
    choose_thresholds,
    choose_floors,
    choose_depth,
    choose_route,
)

WHEN_INPUTS_CHANGE: tuple[Rule, ...] = (
    choose_weights,
    choose_thresholds,
    choose_floors,
    choose_depth,
    choose_route,
)
"""What depends on which input pipelines run, decided again where one was left out after all."""

__all__ = ["BEFORE_EMBEDDING", "WHEN_INPUTS_CHANGE", "Rule", "check_vectors"]
