"""What a retrieval may be told: one set of defaults, overridden field by field, never as a whole."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, TypedDict, get_args

from atlas_rag.errors import CallError
from atlas_rag.query.after import Boost, Collapse, Diversify, Neighbours, Recency, field_path
from atlas_rag.query.checked import Options, number, option, optional, refuse, switch, value_of, whole, word
from atlas_rag.query.filter import Filter, combine
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import shown
from atlas_rag.query.selection import FinalSelection
from atlas_rag.query.threshold import ScoreKind, Threshold
from atlas_rag.query.values import plain_number

LONGEST_MS = 2**31 - 1
"""What a server takes as `maxTimeMS`."""
MOST_REJECTED = 10_000
"""A window larger than this is a mistake: it holds no more than a search may return."""
Policy = Literal["refuse", "continue"]
Floor = Threshold | float | Mapping[ScoreKind, float]
"""A `Threshold`, one value per kind, or a bare number where the kind is certain."""
ModeName = Literal["hybrid", "vector", "keyword"]

ELSEWHERE = {
    "top_k": "limit",
    "k": "limit",
    "topK": "limit",
    "n": "limit",
    "offset": "skip",
    "threshold": "score_threshold",
    "where": "filter",
    "pre_filter": "filter",
    "post_filter": "postfilter",
    "numCandidates": "num_candidates",
    "top": "limit",
}
"""What other libraries call these options."""


def a_filter(place: str, value: Any) -> Filter:
    """A `Filter`, given as such or in its Mongo-style form."""
    if isinstance(value, Mapping):
        return Filter.from_dict(dict(value))
    if isinstance(value, Filter):
        return value
    raise refuse(place, value, "a Filter, or a mapping such as {'year': {'$gte': 2020}}")


def words(place: str, value: Any) -> tuple[str, ...]:
    """Several strings."""
    if not isinstance(value, (list, tuple, set, frozenset)):
        what = place.rpartition(" ")[2].strip("'")
        raise CallError(
            f"{what} is {'one string' if isinstance(value, str) else shown(value)}",
            expected="a list of strings",
            next_step=f"pass {what}=[…]",
        )
    for one in value:
        if not isinstance(one, str):
            raise refuse(place, one, "a list of strings")
    return tuple(map(str, value))


def paths(place: str, value: Any) -> tuple[str, ...]:
    """Several dotted field paths."""
    if not isinstance(value, (list, tuple, set, frozenset)) or not value:
        raise refuse(
            place, value, "a list of dotted field paths", f"pass [{value!r}]" * isinstance(value, str)
        )
    return tuple(field_path(place, one) for one in value)


def token(place: str, value: Any) -> str:
    """A string, which may be empty."""
    if not isinstance(value, str):
        raise refuse(place, value, "the search_after of a result, or '' for the first page")
    return str(value)


def by_name(place: str, value: Any) -> dict[str, Any]:
    """Values by name; they are read where they are used."""
    if not isinstance(value, Mapping) or not value:
        raise refuse(place, value, "a mapping of names, such as {'topic': StringFacet(path='topic')}")
    return {str(name): one for name, one in value.items()}


def weights_by_name(place: str, value: Any) -> dict[str, Any]:
    """Weights by input pipeline name; which names and numbers there may be is checked with the inputs."""
    if not isinstance(value, Mapping):
        raise refuse(place, value, "a mapping of input pipeline names to numbers")
    return {name: plain_number(weight) for name, weight in value.items()}


def floor(place: str, value: Any) -> Floor:
    """A score to reach."""
    value = plain_number(value)
    if isinstance(value, Mapping):
        return {one.kind: one.value for one in (Threshold(v, kind) for kind, v in value.items())}
    if isinstance(value, (bool, int, float)):
        return Threshold(value, ScoreKind.RERANK).value  # the check of a number is the same for all kinds
    if isinstance(value, Threshold):
        return value
    raise CallError(
        f"A score to reach is {shown(value)}",
        expected="a Threshold, a mapping of score kinds to numbers, or a number",
        next_step="pass Similarity.score(0.7), Threshold(0.5, 'rerank') or the like",
    )


class RetrievalOptions(Options):
    """Options of one retriever or one call. Frozen; unknown names are refused.

    Args:
        search_mode: hybrid (default), vector or keyword. `mode` is another word for it.
        prefer_hybrid_search: False answers a hybrid request with the vector pipelines.
        require_hybrid_search: True refuses (7203) where the collection cannot do keyword search.
        filter: what this call may find.
        store_filter: what any call may find; a call can narrow it, nothing can widen or drop it.
        filter_policy: where an index cannot decide a filter as it is meant: refuse (default, 7103), or
            postfilter: let that part run after the search, with more documents asked for and a note.
        postfilter: what a search cannot filter by, such as `like` beside vectors: applied to more results
            than are needed; evidence notes a shortfall. Never a place for a store filter.
        keywords: None uses the question; an empty list means no keyword search.
        variants: other wordings of the question, asked beside it by every input pipeline; see `MultiQuery`.
        limit: hits returned, ≥ 1; default 5. Presets for chat over chunks: `chat_over_chunks()`.
        skip: hits passed over, ≥ 0.
        candidate_limit: candidates considered before the final cut, ≥ limit + skip; None derives it.
        depth: documents per input pipeline of a fusion; None chooses at least 10 × (limit + skip).
        num_candidates: neighbours visited by an approximate search, ≤ 10 000; None chooses 20 × depth.
        max_candidates: the most documents that one call may ask for; default 4096.
        reject_window: candidates fetched beyond the hits to show what was rejected, 0 to 10 000; default 10.
        score_threshold: the worst final score that counts: a `Threshold`, one per kind as a mapping, or a
            bare number where the kind is certain.
        min_score: the worst score that counts before anything is fused or reranked: of an input pipeline's
            own kind. With a reranker it is loose before (÷ `min_score_divider`) and strict after, on the
            final scale.
        weights: by input pipeline name; refused in a mode without fusion unless `weights_policy` is ignore.
        top_k_multiplier: with a reranker, collapse or diversify, candidates = (limit + skip) × this;
            default 3.
        min_score_divider: with a reranker, `min_score` ÷ this before it; default 3.
        final_selection: reranker only (default) or a weighted blend.
        collapse: `Collapse(by=…, keep=…)` or a mapping of these: the best chunks of each document only.
        diversify: `Diversify(relevance=…, path=…)` or a mapping of these: hits that are unlike each other.
        recency: `Recency(path=…, half_life=…)` or a mapping of these: what is new is lifted.
        boost: `Boost(path=…, pivot=…)` or a mapping of these: what has much of a number is lifted.
        projection: paths of the documents that come back, beside `_id`; None for all but vectors.
        return_stored_source: documents as the search index keeps them, without looking them up; of one input
            pipeline alone, since a fusion takes none.
        search_after: the token of a page's last hit (`result.search_after`) to go on from there, "" for the
            first page; of one keyword pipeline alone.
        neighbours: `Neighbours(by=…, position=…)` or a mapping of these: the chunks beside each hit.
        highlight: string paths; passages that show the words found are at `hit.highlights`.
        facets: by name, facets as in `$search` (`StringFacet(path=…)` or its dictionary): `result.facets`.
        count: total, or lowerBound (exact up to 1000): how many documents the words find: `result.count`.
        on_reranker_failure, on_input_failure: refuse (default), or continue with what there is and say so.
        time_limit_ms: server-side limit of this call, 1 to 2^31 - 1; None takes the retriever's.
        include_metadata: context blocks carry the fields beside text and title.
        include_reference: context blocks end with references.

    Raises:
        CallError: INVALID_OPTION naming the first field that is wrong, or what a filter refuses.
    """

    what: ClassVar[str] = "option"
    hints: ClassVar[Mapping[str, str]] = ELSEWHERE

    search_mode: Mode = option(word(Mode, Mode), default=Mode.HYBRID)
    prefer_hybrid_search: bool = option(switch, default=True)
    require_hybrid_search: bool = option(switch, default=False)
    filter: Filter | None = option(optional(a_filter), default=None)
    store_filter: Filter | None = option(optional(a_filter), default=None)
    filter_policy: Literal["refuse", "postfilter"] = option(word(("refuse", "postfilter")), default="refuse")
    postfilter: Filter | None = option(optional(a_filter), default=None)
    keywords: tuple[str, ...] | None = option(optional(words), default=None, repr=False)
    variants: tuple[str, ...] | None = option(optional(words), default=None, repr=False)
    limit: int = option(whole(1), default=5)
    skip: int = option(whole(0), default=0)
    candidate_limit: int | None = option(optional(whole(1)), default=None)
    depth: int | None = option(optional(whole(1)), default=None)
    num_candidates: int | None = option(optional(whole(1)), default=None)
    max_candidates: int = option(whole(1), default=4096)
    reject_window: int = option(whole(0, MOST_REJECTED), default=10)
    score_threshold: Floor | None = option(optional(floor), default=None)
    min_score: Floor | None = option(optional(floor), default=None)
    weights: Mapping[str, Any] | None = option(optional(weights_by_name), default=None)
    weights_policy: Literal["refuse", "ignore"] = option(word(("refuse", "ignore")), default="refuse")
    top_k_multiplier: int = option(whole(1), default=3)
    min_score_divider: float = option(
        number(lambda value: 0 < value < math.inf, "a finite number above 0"), default=3.0
    )
    final_selection: FinalSelection = option(value_of(FinalSelection), default=FinalSelection())
    collapse: Collapse | None = option(optional(value_of(Collapse)), default=None)
    diversify: Diversify | None = option(optional(value_of(Diversify)), default=None)
    recency: Recency | None = option(optional(value_of(Recency)), default=None)
    boost: Boost | None = option(optional(value_of(Boost)), default=None)
    projection: tuple[str, ...] | None = option(optional(paths), default=None)
    return_stored_source: bool = option(switch, default=False)
    search_after: str | None = option(optional(token), default=None)
    neighbours: Neighbours | None = option(optional(value_of(Neighbours)), default=None)
    highlight: tuple[str, ...] | None = option(optional(paths), default=None)
    facets: Mapping[str, Any] | None = option(optional(by_name), default=None)
    count: Literal["total", "lowerBound"] | None = option(
        optional(word(("total", "lowerBound"))), default=None
    )
    on_reranker_failure: Policy = option(word(get_args(Policy)), default="refuse")
    on_input_failure: Policy = option(word(get_args(Policy)), default="refuse")
    time_limit_ms: int | None = option(optional(whole(1, LONGEST_MS)), default=None)
    include_metadata: bool = option(switch, default=False)
    include_reference: bool = option(switch, default=False)

    def override(self, changes: Mapping[str, Any]) -> RetrievalOptions:
        """These options with some fields changed; the store filters of both hold.

        Raises:
            CallError: INVALID_OPTION naming the field, or what a filter refuses.
        """
        if not changes:
            return self
        given = dict(changes)
        if "mode" in given:
            given["search_mode"] = given.pop("mode")
        if given.get("store_filter") is not None:
            narrowing = a_filter("The option 'store_filter'", given["store_filter"])
            given["store_filter"] = combine(self.store_filter, narrowing)
        elif "store_filter" in given:
            given["store_filter"] = self.store_filter
        own = {name: getattr(self, name) for name in self.given}
        return RetrievalOptions(**{**own, **given})


def chat_over_chunks() -> RetrievalOptions:
    """The preset for chat over chunked documents: 30 hits out of 100 candidates."""
    return RetrievalOptions(limit=30, candidate_limit=100)


class CallOptions(TypedDict, total=False):
    """What one call may override, by keyword; see `RetrievalOptions`. `vector` is the query vector.

    The same names as there, for type checkers: a test holds the two together.
    """

    vector: Any
    mode: ModeName | Mode
    search_mode: ModeName | Mode
    prefer_hybrid_search: bool
    require_hybrid_search: bool
    filter: Filter | Mapping[str, Any] | None
    store_filter: Filter | Mapping[str, Any] | None
    filter_policy: Literal["refuse", "postfilter"]
    postfilter: Filter | Mapping[str, Any] | None
    keywords: Sequence[str] | None
    variants: Sequence[str] | None
    limit: int
    skip: int
    candidate_limit: int | None
    depth: int | None
    num_candidates: int | None
    max_candidates: int
    reject_window: int
    score_threshold: Floor | None
    min_score: Floor | None
    weights: Mapping[str, float] | None
    weights_policy: Literal["refuse", "ignore"]
    top_k_multiplier: int
    min_score_divider: float
    final_selection: FinalSelection
    collapse: Collapse | Mapping[str, Any] | None
    diversify: Diversify | Mapping[str, Any] | None
    recency: Recency | Mapping[str, Any] | None
    boost: Boost | Mapping[str, Any] | None
    projection: Sequence[str] | None
    return_stored_source: bool
    search_after: str | None
    neighbours: Neighbours | Mapping[str, Any] | None
    highlight: Sequence[str] | None
    facets: Mapping[str, Any] | None
    count: Literal["total", "lowerBound"] | None
    on_reranker_failure: Policy
    on_input_failure: Policy
    time_limit_ms: int | None
    include_metadata: bool
    include_reference: bool
