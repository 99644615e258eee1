"""The record of one retrieval: what was considered, what was admitted, and why not the rest.

JSON-stable; holds no query text, no document text and no vector.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from atlas_rag.query.threshold import ScoreKind

Rejection = Literal[
    "over-limit",
    "collapsed",
    "below-threshold",
    "below-min-score",
    "unscored",
    "rerank-dropped",
    "over-budget",
    "no-text",
    "skipped",
]
EmptyReason = Literal[
    "search_skipped",
    "question_empty",
    "question_unknown",
    "corpus_empty",
    "index_missing",
    "index_building",
    "store_filter_matched_nothing",
    "filter_matched_nothing",
    "all_below_threshold",
    "no_candidates",
]
WORDS: Mapping[EmptyReason, str] = {
    "search_skipped": "the query rewriter decided that nothing is to be searched",
    "question_empty": "the question holds nothing that could be searched for",
    "question_unknown": "the embedder knows no word of the question, and no keywords can be searched for",
    "corpus_empty": "the collection holds no document",
    "index_missing": "a search index that this retriever asks does not exist",
    "index_building": "a search index that this retriever asks cannot be queried yet",
    "store_filter_matched_nothing": "no document fits the store filter",
    "filter_matched_nothing": "no document fits the filter",
    "all_below_threshold": "every document that was found is below the score that was asked for",
    "no_candidates": "no document that fits the filter matches the question",
}
"""What each reason means, in words for a person."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One document that was considered: admitted, or rejected for exactly one reason.

    Args:
        id: its `_id` as text. rank: 1-based place in the final order. score: final, None where unscored.
        admitted: it was returned as a hit; in the evidence of a context, it reached the prompt.
        ranks: per input pipeline of a fusion; None where it did not return the document.
        returned: it was returned as a hit, whether or not it then reached a prompt.
    """

    id: str
    rank: int
    score: float | None
    admitted: bool
    reason: Rejection | None = None
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    returned: bool = False

    def __post_init__(self) -> None:
        if self.admitted == (self.reason is not None):
            raise ValueError("a candidate is admitted, or has one reason")


class Evidence(BaseModel):
    """What one retrieval did.

    Args:
        namespace: `database.collection`.
        requested_mode, executed_mode, mode_reason: what was asked for, what ran, why.
        fusion: how lists became one; None for one list.
        weights, depth, num_candidates, limit, skip: as executed; num_candidates None for an exact scan.
        filter_fingerprint, store_filter_fingerprint: equal for equal filters; None for no filter.
        query_hash: FNV-1a of the question; query_hmac: HMAC-SHA256 with the retriever's key, or None.
        dimensions: of the query vector, whoever made it; None where no vector was asked with.
        thresholds: the score that final scores had to reach, by kind.
        min_scores: the score that was needed before anything was fused or reranked, by kind.
        final_selection: how retrieval and rerank scores became one order; None without a reranker.
        collapse: by which path hits were grouped, and how many of each group stay; None for not at all.
        recency, boost: how what is new, and what has much of a number, was lifted; None for not at all.
        diversify: the share of relevance in the order, and where the vectors are; None for not at all.
        candidates: every document that came back, in final order, each admitted xor rejected for one reason.
        considered_count, admitted_count, rejected_count: how many these are.
        candidates_complete: whether every document that could match is among them; else the reason is given.
        empty_reason: why nothing was returned; None where something was.
        selection_order, chars_used, tokens_used: of the context that was built; None before there is one.
        stage_ms: milliseconds per stage that ran.
        usage: what providers counted for this call: requests, tokens, pixels, search units.
        notes: what went otherwise than asked, such as a failed input pipeline that was left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    retriever_id: str
    namespace: str = ""
    requested_mode: str
    executed_mode: str
    mode_reason: str
    route: str
    route_reason: str
    fusion: str | None = None
    score_kind: ScoreKind | None
    inputs: tuple[str, ...] = ()
    weights: Mapping[str, float] = {}
    depth: int = 0
    num_candidates: int | None = None
    limit: int
    skip: int
    filter_fingerprint: str | None = None
    store_filter_fingerprint: str | None = None
    query_hash: str
    query_hmac: str | None = None
    embedder_id: str | None = None
    dimensions: int | None = None
    reranker_id: str | None = None
    final_selection: str | None = None
    collapse: str | None = None
    recency: str | None = None
    boost: str | None = None
    diversify: str | None = None
    thresholds: Mapping[ScoreKind, float] = {}
    min_scores: Mapping[ScoreKind, float] = {}
    candidates: tuple[Candidate, ...] = ()
    considered_count: int = 0
    admitted_count: int = 0
    rejected_count: int = 0
    candidates_complete: bool = False
    incomplete_reason: str | None = None
    empty_reason: EmptyReason | None = None
    selection_order: str | None = None
    chars_used: int | None = None
    tokens_used: int | None = None
    stage_ms: Mapping[str, float] = {}
    usage: Mapping[str, int] = {}
    notes: tuple[str, ...] = ()

    def in_prompt(
        self, left_out: Mapping[int, Rejection], *, order: str, chars: int, tokens: int
    ) -> Evidence:
        """The same record after a context was built: which hits reached the prompt, why the others did not.

        Args:
            left_out: reasons by rank, since ids such as 1 and "1" look alike.
            order: of the sources. chars, tokens: that they took.
        """
        candidates = tuple(
            replace(one, admitted=False, reason=left_out[one.rank])
            if one.admitted and one.rank in left_out
            else one
            for one in self.candidates
        )
        changes = {"selection_order": order, "chars_used": chars, "tokens_used": tokens}
        return self.model_copy(update={"candidates": candidates, **counts(candidates), **changes})


def counts(candidates: Iterable[Candidate]) -> dict[str, int]:
    """How many were considered, admitted and rejected."""
    verdicts = [one.admitted for one in candidates]
    admitted = sum(verdicts)
    return {
        "considered_count": len(verdicts),
        "admitted_count": admitted,
        "rejected_count": len(verdicts) - admitted,
    }


def query_hash(text: str) -> str:
    """FNV-1a, 32 bit, over the UTF-16 code units of the trimmed text, in unpadded lowercase hex.

    Low-entropy text can be guessed from it: it joins records, it does not hide.

    >>> query_hash("How long do refunds take?")
    '6abf645'
    """
    digest = 2166136261
    encoded = text.strip().encode("utf-16-le", "surrogatepass")
    for start in range(0, len(encoded), 2):
        unit = encoded[start] | encoded[start + 1] << 8
        digest = (digest ^ unit) * 16777619 & 0xFFFFFFFF
    return f"{digest:x}"


def shown_id(identity: Any) -> str:
    """An `_id` as text, for records."""
    return str(identity)
