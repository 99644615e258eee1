"""`min_score`: what a score has to reach before anything is fused or reranked."""

from __future__ import annotations

from atlas_rag.plan.draft import Draft
from atlas_rag.plan.note import Cause
from atlas_rag.plan.rules.thresholds import by_kind, final_kind, reranked_kind, retrieval_kinds
from atlas_rag.query.mode import Mode
from atlas_rag.query.threshold import RETRIEVAL_KINDS, ScoreKind


def choose_floors(draft: Draft) -> None:
    """Loose before a reranker (÷ min_score_divider) and strict after it; strict at once where there is none.

    A floor acts on the scores of its own kind: of each input pipeline of that kind before they are fused, or
    of the fused list. After a reranker the same number counts on the final scale, unless a value of the
    final kind is given beside it.

    Raises:
        CallError: SCORE_KIND_MISMATCH for a bare number where scores of several kinds come up, kinds that
            this retriever never gives, or a fused kind before a reranker, for which it says nothing.
    """
    options = draft.request.options
    if options.min_score is None:
        return
    reranked = draft.reranking.by != "nobody"
    final = reranked_kind(options)
    asked = [one for one in draft.setting.inputs if options.search_mode in (Mode.HYBRID, one.mode)]
    own = tuple(dict.fromkeys(one.kind for one in asked))
    fused = tuple(kind for kind in retrieval_kinds(draft) if kind not in own)
    bare = isinstance(options.min_score, (int, float))
    known = own if bare else (*own, *((final,) if reranked else fused))
    given = by_kind(options.min_score, known, "min_score")
    draft.floors = _around_reranker(given, final, options.min_score_divider) if reranked else given
    _note_idle(draft)


def _around_reranker(
    given: dict[ScoreKind, float], final: ScoreKind, divider: float
) -> dict[ScoreKind, float]:
    """Loose floors for what goes to a reranker, a strict one for what comes back."""
    loose = {kind: value / divider for kind, value in given.items() if kind in RETRIEVAL_KINDS}
    strict = given.get(final, max(given.values()))
    return {**loose, final: strict}


def _note_idle(draft: Draft) -> None:
    acting = {one.kind for one in draft.chosen} | {draft.retrieval_kind, final_kind(draft)}
    for kind in draft.floors.keys() - acting:
        text = f"min_score for {kind.value} did not act: no score of that kind came up"
        draft.note(Cause.THRESHOLD_IDLE, text, kind.value)
