"""Weights act only where rankings are fused."""

from __future__ import annotations

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion import checked_weights
from atlas_rag.plan.draft import Draft
from atlas_rag.query.request import Mode


def choose_weights(draft: Draft) -> None:
    """Checks the weights given against all input pipelines; keeps those of the chosen ones.

    Raises:
        CallError: INVALID_WEIGHTS for an unknown name, a value that is not finite and ≥ 0, or all zero.
    """
    given = draft.request.weights
    if given is None:
        return
    full = checked_weights([one.name for one in draft.inputs], given)
    if draft.request.mode is not Mode.HYBRID and not draft.request.ignore_idle_weights:
        raise CallError(
            f"Weights cannot act in {draft.request.mode.value} search",
            expected="no weights, or mode='hybrid'",
            next_step="drop the weights, or set weights_policy='ignore'",
            code=Code.INVALID_WEIGHTS,
        )
    kept = {one.name: full[one.name] for one in draft.chosen}
    if not any(kept.values()):
        raise CallError(
            "Every input pipeline that runs has weight 0",
            expected="at least one weight above 0",
            next_step="raise a weight, or ask for another mode",
            code=Code.INVALID_WEIGHTS,
        )
    draft.weights = kept
