"""What a score measures, and the worst score of one kind that still counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.query.refusal import nearest
from atlas_rag.query.values import plain_number


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


RETRIEVAL_KINDS = frozenset({ScoreKind.VECTOR_SIMILARITY, ScoreKind.TEXT_RELEVANCE})
"""Kinds that a single input pipeline gives."""
FINAL_KINDS = frozenset({ScoreKind.RERANK, ScoreKind.BLEND})
"""Kinds that only a reranker brings."""


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
        object.__setattr__(self, "value", plain_number(self.value))
        check_number(self.value)
        if not isinstance(self.kind, ScoreKind):
            object.__setattr__(self, "kind", read_kind(self.kind))

    def admits(self, score: Any) -> bool:
        """Whether a `Score` reaches the threshold; an unscored hit (None) never does.

        Raises:
            CallError: SCORE_KIND_MISMATCH for a score of another kind.
        """
        if score is None:
            return False
        if score.kind is not self.kind:
            raise CallError(
                f"A {self.kind.value} threshold judges a {score.kind.value} score",
                expected=f"a {self.kind.value} score",
                next_step="threshold each kind by itself",
                code=Code.SCORE_KIND_MISMATCH,
            )
        reached = score.value >= self.value if self.kind.higher_is_better else score.value <= self.value
        return bool(reached)


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


def check_number(value: Any) -> None:
    """Refuses what is no score: NaN, a bool, anything but an int or float.

    Raises:
        CallError: SCORE_KIND_MISMATCH.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
        raise CallError(
            f"A score is {value!r}",
            expected="a number",
            next_step="leave the hit unscored (None) where there is no score",
            code=Code.SCORE_KIND_MISMATCH,
        )


def read_kind(name: Any) -> ScoreKind:
    """The score kind of a name.

    Raises:
        CallError: SCORE_KIND_MISMATCH for a name that is none.
    """
    try:
        return ScoreKind(name)
    except ValueError:
        raise CallError(
            f"There is no score kind {name!r}",
            expected=f"one of {', '.join(ScoreKind)}",
            next_step=f"did you mean {meant!r}?"
            if (meant := nearest(name, ScoreKind))
            else "name one of them",
            code=Code.SCORE_KIND_MISMATCH,
        ) from None


def _out_of_range(what: str, value: float, expected: str) -> CallError:
    return CallError(
        f"A {what} threshold is {value}",
        expected=expected,
        next_step=f"pass a {what} within these bounds",
        code=Code.INVALID_OPTION,
    )
