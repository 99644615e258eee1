"""What a retrieval may be told: one set of defaults, overridden field by field, never as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypedDict

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from atlas_rag.errors import CallError, Code
from atlas_rag.hits import ScoreKind, Threshold
from atlas_rag.query.filter import Filter, combine
from atlas_rag.query.request import Mode
from atlas_rag.rerank import FinalSelection

Policy = Literal["refuse", "continue"]


class RetrievalOptions(BaseModel):
    """Options of one retriever or one call. Frozen; unknown names are refused.

    Args:
        search_mode: hybrid (default), vector or keyword. `mode` is another word for it.
        prefer_hybrid_search: False answers a hybrid request with the vector pipelines.
        require_hybrid_search: True refuses (7203) where the collection cannot do keyword search.
        filter: what this call may find.
        store_filter: what any call may find; a call can narrow it, nothing can widen or drop it.
        postfilter: what a search cannot filter by, such as `like` beside vectors: applied to more results
            than are needed; evidence notes a shortfall. Never a place for a store filter.
        keywords: None uses the question; an empty list means no keyword search.
        limit: hits returned, ≥ 1; default 5. Presets for chat over chunks: `chat_over_chunks()`.
        skip: hits passed over, ≥ 0.
        candidate_limit: candidates considered before the final cut, ≥ limit + skip; None derives it.
        depth: documents per input pipeline of a fusion; None chooses at least 10 × (limit + skip).
        num_candidates: neighbours visited by an approximate search, ≤ 10 000; None chooses 20 × depth.
        max_candidates: the most documents that one call may ask for; default 4096.
        reject_window: candidates fetched beyond the hits to show what was rejected; default 10.
        score_threshold: the worst final score that counts: a `Threshold`, one per kind as a mapping, or a
            bare number where the kind is certain.
        min_score: the worst retrieval score that counts; relaxed by `min_score_divider` before a reranker.
        weights: by input pipeline name; refused in a mode without fusion unless `weights_policy` is ignore.
        top_k_multiplier: with a reranker, candidates = (limit + skip) × this; default 3.
        min_score_divider: with a reranker, `min_score` ÷ this; default 3.
        final_selection: reranker only (default) or a weighted blend.
        on_reranker_failure, on_input_failure: refuse (default), or continue with what there is and say so.
        include_metadata: context blocks carry the fields beside text and title.
        include_reference: context blocks end with references.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)

    search_mode: Mode = Mode.HYBRID
    prefer_hybrid_search: bool = True
    require_hybrid_search: bool = False
    filter: Filter | None = Field(default=None)
    store_filter: Filter | None = Field(default=None)
    postfilter: Filter | None = Field(default=None)
    keywords: tuple[str, ...] | None = Field(default=None, repr=False)
    limit: int = Field(default=5, ge=1, strict=True)
    skip: int = Field(default=0, ge=0, strict=True)
    candidate_limit: int | None = Field(default=None, ge=1, strict=True)
    depth: int | None = Field(default=None, ge=1, strict=True)
    num_candidates: int | None = Field(default=None, ge=1, strict=True)
    max_candidates: int = Field(default=4096, ge=1, strict=True)
    reject_window: int = Field(default=10, ge=0, strict=True)
    score_threshold: Threshold | float | Mapping[ScoreKind, float] | None = None
    min_score: Threshold | None = None
    weights: Mapping[str, Any] | None = None
    weights_policy: Literal["refuse", "ignore"] = "refuse"
    top_k_multiplier: int = Field(default=3, ge=1, strict=True)
    min_score_divider: float = Field(default=3.0, gt=0, allow_inf_nan=False)
    final_selection: FinalSelection = FinalSelection()
    on_reranker_failure: Policy = "refuse"
    on_input_failure: Policy = "refuse"
    include_metadata: bool = False
    include_reference: bool = False

    @field_validator("filter", "store_filter", "postfilter", mode="before")
    @classmethod
    def _read_filter(cls, value: Any) -> Any:
        return _as_filter(value)

    @field_validator("keywords", mode="before")
    @classmethod
    def _several_keywords(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise CallError("keywords is one string", expected="a list of strings; [] for no keyword search")
        return value

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
        if "store_filter" in given:
            narrowing = _as_filter(given["store_filter"])
            if narrowing is None or isinstance(narrowing, Filter):  # what else it may be is refused below
                given["store_filter"] = combine(self.store_filter, narrowing)
        return build({**vars(self), **given})


_SCALARS = frozenset((bool, int, float, str, Mode))


class Overrides:
    """The options of a retriever with some fields changed.

    What a service sets on every call, a limit and the like, is the same again and again, and is checked once;
    filters, keywords and whatever else comes with a question are checked each time and not kept.
    """

    def __init__(self, options: RetrievalOptions) -> None:
        self._options = options
        self._remembered = lru_cache(maxsize=64)(self._with_scalars)

    def apply(self, changes: Mapping[str, Any]) -> RetrievalOptions:
        """As `RetrievalOptions.override`."""
        scalars: list[Any] = []
        others: dict[str, Any] = {}
        for name, value in changes.items():
            if type(value) in _SCALARS:
                scalars += (name, value, type(value))
            else:
                others[name] = value
        options = self._remembered(*scalars) if scalars else self._options
        return options.override(others) if others else options

    def _with_scalars(self, *scalars: Any) -> RetrievalOptions:
        """Names, values and types in turn: 1 and True are equal, and only one of them is a limit."""
        return self._options.override(dict(zip(scalars[::3], scalars[1::3], strict=True)))


def _as_filter(value: Any) -> Any:
    return Filter.from_dict(dict(value)) if isinstance(value, Mapping) else value


def build(values: Mapping[str, Any]) -> RetrievalOptions:
    """Options from plain values.

    Raises:
        CallError: INVALID_OPTION naming the first field that is wrong.
    """
    try:
        return RetrievalOptions.model_validate(dict(values))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "options"
        if first["type"] == "extra_forbidden":
            names = ", ".join(RetrievalOptions.model_fields)
            raise CallError(f"There is no option {name!r}", expected=f"one of {names}") from None
        raise CallError(f"The option {name!r} is not allowed", expected=_expected(first["msg"])) from None


def _expected(message: str) -> str:
    return message.removeprefix("Input should be ").removeprefix("a valid ") or message


def chat_over_chunks() -> RetrievalOptions:
    """The preset for chat over chunked documents: 30 hits out of 100 candidates."""
    return RetrievalOptions(limit=30, candidate_limit=100)


def certain_threshold(options: RetrievalOptions, kinds: Sequence[ScoreKind]) -> Mapping[ScoreKind, float]:
    """The score threshold by kind.

    Args:
        kinds: every kind that the final scores of this call could have.

    Raises:
        CallError: SCORE_KIND_MISMATCH for a bare number where more than one kind is possible, or a
            threshold of a kind that the call cannot give.
    """
    given = options.score_threshold
    if given is None:
        return {}
    if isinstance(given, Threshold):
        thresholds: dict[ScoreKind, float] = {given.kind: given.value}
    elif isinstance(given, Mapping):
        thresholds = {ScoreKind(kind): value for kind, value in given.items()}
    elif len(kinds) == 1:
        thresholds = {kinds[0]: given}
    else:
        raise _mismatch(f"score_threshold is the bare number {given}", kinds)
    if not any(kind in thresholds for kind in kinds):
        raise _mismatch(f"score_threshold is for {', '.join(thresholds)}", kinds)
    return thresholds


def _mismatch(problem: str, kinds: Sequence[ScoreKind]) -> CallError:
    return CallError(
        problem,
        expected=f"a Threshold of kind {' or '.join(kinds)}",
        next_step="say which scale is meant, such as Threshold(0.02, ScoreKind.RANK_FUSION)",
        code=Code.SCORE_KIND_MISMATCH,
    )


class CallOptions(TypedDict, total=False):
    """What one call may override, by keyword; see `RetrievalOptions`. `vector` is the query vector."""

    vector: Any
    mode: Mode | str
    search_mode: Mode | str
    prefer_hybrid_search: bool
    require_hybrid_search: bool
    filter: Filter | Mapping[str, Any] | None
    store_filter: Filter | Mapping[str, Any]
    postfilter: Filter | Mapping[str, Any] | None
    keywords: Sequence[str] | None
    limit: int
    skip: int
    candidate_limit: int | None
    depth: int | None
    num_candidates: int | None
    max_candidates: int
    reject_window: int
    score_threshold: Threshold | float | Mapping[ScoreKind, float] | None
    min_score: Threshold | None
    weights: Mapping[str, float] | None
    weights_policy: Literal["refuse", "ignore"]
    top_k_multiplier: int
    min_score_divider: float
    final_selection: FinalSelection
    on_reranker_failure: Policy
    on_input_failure: Policy
    include_metadata: bool
    include_reference: bool
