"""What is wrong with a reranker's answer: entries that cannot be, scores that say nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from atlas_rag.errors import ReplyError
from atlas_rag.rerank.protocol import Reranked


def in_order(answer: Sequence[Reranked], size: int) -> list[float | None]:
    """The scores in the order of the texts; None where there is none.

    Raises:
        ReplyError: UNEXPECTED_REPLY for a position out of range or twice, or a score that is not finite.
    """
    scores: list[float | None] = [None] * size
    for position, score in answer:
        if isinstance(position, bool) or not isinstance(position, int) or not 0 <= position < size:
            raise ReplyError(f"The reranker names text {position!r} of {size}", expected=f"0 to {size - 1}")
        if scores[position] is not None:
            raise ReplyError(f"The reranker names text {position} twice", expected="one score per text")
        if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
            raise ReplyError(
                f"The reranker's score of text {position} is {score!r}", expected="a finite number"
            )
        scores[position] = float(score)
    return scores


def suspicion(scores: Sequence[float | None]) -> str | None:
    """What to tell the caller about these scores, or None.

    A service whose prerequisites are missing has been seen to answer one constant for every text.
    """
    present = [score for score in scores if score is not None]
    if not present:
        return "the reranker scored no text"
    if len(present) > 1 and max(present) == min(present):
        return f"the reranker gave every text the same score, {present[0]:.4g}"
    if len(present) < len(scores):
        return f"the reranker left out {len(scores) - len(present)} of {len(scores)} texts"
    return None
