"""A number that knows what it means: its kind fixes the scale, the direction and the `$meta` it came from."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.query.threshold import ScoreKind, Similarity, Threshold, check_number

__all__ = ["Score", "ScoreKind", "Similarity", "Threshold"]


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A finite value of one kind. A missing score is no `Score` at all: such a hit is *unscored*.

    Scores of one kind can be compared (`<` means worse); with another kind or a bare number every comparison
    is refused, `==` among them, since an answer would only mislead. `float`, `round` and format strings give
    the number alone.
    """

    value: float
    kind: ScoreKind

    def __post_init__(self) -> None:
        check_number(self.value)

    def __lt__(self, other: Score) -> bool:
        return self._compare(other, operator.lt)

    def __le__(self, other: Score) -> bool:
        return self._compare(other, operator.le)

    def __gt__(self, other: Score) -> bool:
        return self._compare(other, operator.gt)

    def __ge__(self, other: Score) -> bool:
        return self._compare(other, operator.ge)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Score, int, float)):
            return NotImplemented
        return self._compare(other, operator.eq)

    def __hash__(self) -> int:
        return hash((self.value, self.kind))

    def __float__(self) -> float:
        return float(self.value)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self.value), digits)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def _compare(self, other: Any, how: Callable[[Any, Any], bool]) -> bool:
        if not isinstance(other, Score) or other.kind is not self.kind:
            what = f"a {other.kind.value} score" if isinstance(other, Score) else f"a {type(other).__name__}"
            raise CallError(
                f"A {self.kind.value} score is compared with {what}",
                expected=f"a {self.kind.value} score",
                next_step="compare ranks, threshold each kind by itself, or say float(score)",
                code=Code.SCORE_KIND_MISMATCH,
            )
        sign = 1 if self.kind.higher_is_better else -1
        return how(sign * self.value, sign * other.value)
