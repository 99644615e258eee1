"""How the final order comes about where a reranker has a say."""

from __future__ import annotations

from typing import ClassVar, Literal, get_args

from atlas_rag.query.checked import Options, number, option, word

Order = Literal["reranker_only", "weighted_blend"]
Normalizer = Literal["minmax", "rank", "raw"]
Missing = Literal["zero", "exclude", "renormalise"]
DEFAULT_RETRIEVAL_WEIGHT = 0.65


class FinalSelection(Options):
    """How the final order comes about.

    Args:
        mode: "reranker_only" or "weighted_blend".
        retrieval_weight: share of the retrieval score in a blend, 0…1; default .65.
        normalizer: puts both sides on one scale: minmax (default), rank (1 for the best … 0 for the worst),
            or raw (as they are; only meaningful where both already share a scale).
        missing: a hit that the reranker left out: counts as 0 there, is excluded, or is judged by its
            retrieval score alone.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of FinalSelection"

    mode: Order = option(word(get_args(Order)), default="reranker_only")
    retrieval_weight: float = option(
        number(lambda value: 0 <= value <= 1, "a number from 0 to 1"), default=DEFAULT_RETRIEVAL_WEIGHT
    )
    normalizer: Normalizer = option(word(get_args(Normalizer)), default="minmax")
    missing: Missing = option(word(get_args(Missing)), default="renormalise")
