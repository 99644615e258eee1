"""A number that knows what it means: its kind fixes the scale, the direction and the `$meta` it came from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.quick_init import quick_init


class ScoreKind(StrEnum):
    """What a score measures. Only `distance` is better when lower."""

    VECTOR_SIMILARITY = "vector_similarity"
    """0…1 for unit vectors: (1 + cos)/2, or 1/(1 + d²). From `{$meta: "vectorSearchScore"}`."""
    TEXT_RELEVANCE = "text_relevance"
    """BM25, 0…∞, comparable within one query only. From `{$meta: "searchScore"}`."""
    RANK_FUSION = "rank_fusion"
    """0…Σ weights/61. Says how high a document stood, not how relevant it is."""
    SCORE_FUSION = "score_fusion"
    """Average or expression of (normalised) scores."""
    RERANK = "rerank"
    """The reranker's own scale, mostly 0…1."""
    BLEND = "blend"
    """Weighted mean of a normalised retrieval score and a normalised rerank score, 0…1."""
    DISTANCE = "distance"
    """0…∞, lower is better; only on request."""

    @property
    def higher_is_better(self) -> bool:
        """The direction of the scale."""
        return self is not ScoreKind.DISTANCE


@quick_init
@dataclass(frozen=True, slots=True)
class Score:
    """A finite value of one kind. A missing score is no `Score` at all: such a hit is *unscored*.

    Scores of one kind can be ordered (`<` means worse); across kinds everything is refused.
    """

    value: float
    kind: ScoreKind

    def __post_init__(self) -> None:
        value = self.value
        if type(value) is float and value == value:  # the usual case, and no NaN
            return
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
            raise CallError(
                f"A score is {self.value!r}",
                expected="a number",
                next_step="leave the hit unscored (None) where there is no score",
                code=Code.SCORE_KIND_MISMATCH,
            )

    def __lt__(self, other: Score) -> bool:
        self._same_kind(other)
        return self.value < other.value if self.kind.higher_is_better else self.value > other.value

    def __le__(self, other: Score) -> bool:
        return not other < self

    def __gt__(self, other: Score) -> bool:
        return other < self

    def __ge__(self, other: Score) -> bool:
        return not self < other

    def __float__(self) -> float:
        return self.value

    def _same_kind(self, other: Any) -> None:
        if not isinstance(other, Score) or other.kind is not self.kind:
            kind = other.kind.value if isinstance(other, Score) else type(other).__name__
            raise CallError(
                f"A {self.kind.value} score is compared with {kind}",
                expected=f"a {self.kind.value} score",
                next_step="compare ranks, or threshold each kind by itself",
                code=Code.SCORE_KIND_MISMATCH,
            )


@dataclass(frozen=True, slots=True)
class Threshold:
    """The worst score that still counts, of one kind; equality counts.

    Args:
        value: on the scale of the kind.
        kind: which scores it may judge.
    """

    value: float
    kind: ScoreKind

    def __post_init__(self) -> None:
        Score(self.value, self.kind)

    def admits(self, score: Score | None) -> bool:
        """Whether a score reaches the threshold; an unscored hit never does.

        Raises:
            CallError: SCORE_KIND_MISMATCH for a score of another kind.
        """
        return score is not None and score >= Score(self.value, self.kind)


class Similarity:
    """Thresholds for vector similarity, said in the terms of the index's similarity function."""

    @staticmethod
    def score(value: float) -> Threshold:
        """On the deployment's own scale, as `vectorSearchScore` reports it."""
        return Threshold(value, ScoreKind.VECTOR_SIMILARITY)

    @staticmethod
    def cosine(value: float) -> Threshold:
        """A raw cosine, −1…1. Formula: (1 + cos)/2."""
        if not -1 <= value <= 1:
            raise _out_of_range("cosine", value, "-1 to 1")
        return Threshold((1 + value) / 2, ScoreKind.VECTOR_SIMILARITY)

    @staticmethod
    def dot_product(value: float) -> Threshold:
        """A raw dot product of float vectors. Formula: max((1 + dot)/2, 0)."""
        return Threshold(max((1 + value) / 2, 0.0), ScoreKind.VECTOR_SIMILARITY)

    @staticmethod
    def euclidean(distance: float) -> Threshold:
        """The largest Euclidean distance to accept, ≥ 0. Formula: 1/(1 + d²)."""
        if distance < 0:
            raise _out_of_range("euclidean distance", distance, "0 or more")
        return Threshold(1 / (1 + distance * distance), ScoreKind.VECTOR_SIMILARITY)


def _out_of_range(what: str, value: float, expected: str) -> CallError:
    return CallError(f"A {what} threshold is {value}", expected=expected, code=Code.INVALID_OPTION)
