"""Weights act only where rankings are fused."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion import checked_weights
from atlas_rag.plan.draft import Draft


def choose_weights(draft: Draft) -> None:
    """Checks the weights given against all input pipelines; keeps those of the chosen ones.

    Raises:
        CallError: INVALID_WEIGHTS for an unknown name, a value that is not finite and ≥ 0, or all zero.
    """
    given = draft.request.weights
    if given is None:
        return
    full = checked_weights([one.name for one in draft.inputs], given)
    kept = {one.name: full[one.name] for one in draft.chosen}
    if not any(kept.values()):
        raise CallError(
            "Every input pipeline that runs has weight 0",
            expected="at least one weight above 0",
            next_step="raise a weight, or ask for another mode",
            code=Code.INVALID_WEIGHTS,
        )
    draft.weights = {name: kept[name] for name in sorted(kept)}
