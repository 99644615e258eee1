"""What a final score has to reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.query.mode import Mode
from atlas_rag.query.options import Floor, RetrievalOptions
from atlas_rag.query.threshold import ScoreKind, Threshold


def choose_thresholds(draft: Draft) -> None:
    """The score threshold by kind; it must have a value for the kind that this call gives.

    Raises:
        CallError: SCORE_KIND_MISMATCH for a bare number where more than one kind is possible, or no value
            for the kind that the call gives.
    """
    given = draft.request.options.score_threshold
    if given is None:
        return
    kinds = possible_kinds(draft)
    thresholds = by_kind(given, kinds, "score_threshold")
    if final_kind(draft) not in thresholds:
        raise CallError(
            f"score_threshold is for {', '.join(thresholds)}, but {draft.mode_reason}",
            expected=f"a threshold for {final_kind(draft).value}, which this call gives",
            next_step="pass one threshold per kind: {kind: value, …}",
            code=Code.SCORE_KIND_MISMATCH,
        )
    draft.thresholds = thresholds


def final_kind(draft: Draft) -> ScoreKind:
    """What the final scores of this call measure, if its reranker does not fail."""
    if draft.reranking.by == "nobody":
        return draft.retrieval_kind
    return reranked_kind(draft.request.options)


def reranked_kind(options: RetrievalOptions) -> ScoreKind:
    """What a score measures after a reranker."""
    return ScoreKind.RERANK if options.final_selection.mode == "reranker_only" else ScoreKind.BLEND


def possible_kinds(draft: Draft) -> tuple[ScoreKind, ...]:
    """Every kind that the final scores of a call with these options could have, whatever the deployment."""
    options = draft.request.options
    retrieval = retrieval_kinds(draft)
    if draft.setting.reranking.by == "nobody" or options.search_mode is Mode.KEYWORD:
        return retrieval
    final = reranked_kind(options)
    return (final,) if options.on_reranker_failure == "refuse" else (final, *retrieval)


def retrieval_kinds(draft: Draft) -> tuple[ScoreKind, ...]:
    """Every kind that scores before a reranker could have: of a fusion, or of the one input that is left."""
    options = draft.request.options
    modes = [options.search_mode]
    if options.search_mode is Mode.HYBRID:
        modes.append(Mode.VECTOR)
    kinds: dict[ScoreKind, None] = {}
    for mode in modes:
        inputs = [one for one in draft.setting.inputs if mode in (Mode.HYBRID, one.mode)]
        if inputs:
            kinds[draft.setting.fusion.kind if len(inputs) > 1 else inputs[0].kind] = None
    return tuple(kinds)


def by_kind(given: Floor, kinds: Sequence[ScoreKind], option: str) -> dict[ScoreKind, float]:
    """A threshold, a number or a mapping as one value per kind.

    Args:
        kinds: those that are possible. option: its name, for errors.

    Raises:
        CallError: SCORE_KIND_MISMATCH.
    """
    if isinstance(given, Threshold):
        values = {given.kind: given.value}
    elif isinstance(given, Mapping):
        values = {ScoreKind(kind): float(value) for kind, value in given.items()}
    elif len(kinds) == 1:
        values = {kinds[0]: float(given)}
    else:
        raise _mismatch(f"{option} is the bare number {given}", kinds)
    if not any(kind in values for kind in kinds):
        raise _mismatch(f"{option} is for {', '.join(values)}", kinds)
    return values


def _mismatch(problem: str, kinds: Sequence[ScoreKind]) -> CallError:
    return CallError(
        problem,
        expected=f"a Threshold of kind {' or '.join(kinds)}",
        next_step=f"say which scale is meant, such as Threshold(…, ScoreKind.{kinds[0].name})",
        code=Code.SCORE_KIND_MISMATCH,
    )
