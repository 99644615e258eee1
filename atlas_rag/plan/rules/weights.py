"""Weights act only where rankings are fused."""

from __future__ import annotations

from collections.abc import Mapping

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion import checked_weights
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.note import Cause
from atlas_rag.query.mode import Mode


def choose_weights(draft: Draft) -> None:
    """Checks the weights given against all input pipelines; keeps those of the ones that run.

    Raises:
        CallError: INVALID_WEIGHTS for an unknown name, a value that is not finite and ≥ 0, or all zero.
    """
    options, fusion = draft.request.options, draft.setting.fusion
    inputs = draft.setting.inputs
    if options.weights is None:
        _take(
            draft, checked_weights([one.name for one in inputs], fusion.weights) if fusion.weights else None
        )
        return
    full = checked_weights([one.name for one in inputs], options.weights)
    if fusion.expression is not None:
        raise CallError(
            "Weights cannot act beside the expression of a score fusion",
            expected="no weights",
            next_step="write the weights into the expression",
            code=Code.INVALID_WEIGHTS,
        )
    asked = [one for one in inputs if options.search_mode in (Mode.HYBRID, one.mode)]
    if len(asked) < 2 and options.weights_policy == "refuse":
        raise CallError(
            f"Weights cannot act in {options.search_mode.value} search over one input pipeline",
            expected="no weights, or at least two input pipelines that run",
            next_step="drop the weights, or set weights_policy='ignore'",
            code=Code.INVALID_WEIGHTS,
        )
    if not draft.fuses:
        draft.note(Cause.WEIGHTS_IDLE, f"weights did not act: {draft.mode_reason}")
        return
    if fusion.normalization == "minMaxScaler":
        draft.note(Cause.WEIGHTS_IDLE, "weights did not act: minMaxScaler runs after them, as on the server")
    _take(draft, full)


def _take(draft: Draft, full: Mapping[str, float] | None) -> None:
    """Keeps the weights of the input pipelines that run, where there is something to fuse."""
    if full is None or not draft.fuses:
        draft.weights = None
        return
    kept = {one.name: full[one.name] for one in draft.chosen}
    if not any(kept.values()):
        raise CallError(
            "Every input pipeline that runs has weight 0",
            expected="at least one weight above 0",
            next_step="raise a weight, or ask for another mode",
            code=Code.INVALID_WEIGHTS,
        )
    draft.weights = kept
