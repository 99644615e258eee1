"""`equals`, `in`, `range`, `exists`: exact conditions with a constant score of 1."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import ALWAYS, invalid, spelled_class

FieldPath = str | tuple[str, ...]


@spelled_class
class Equals(Operator):
    """Matches documents that hold this value at the path.

    Args:
        path: one plain path; a string value needs it mapped as `token`.
        value: bool, ObjectId, number, datetime, str, UUID, or None for an explicit null.
        score: boost or replace the constant 1.
    """

    label: ClassVar[str] = "equals"

    path: Annotated[str, checks.text]
    value: Annotated[Any, ALWAYS]
    score: ScoreField = None


@spelled_class
class In(Operator):
    """Matches documents that hold one of these values; one constant 1 even over several paths.

    Args:
        path: one path or several.
        value: one value, or a non-empty tuple of values of one type; no null.
        score: boost or replace the constant 1.
    """

    label: ClassVar[str] = "in"

    path: Annotated[FieldPath, checks.texts]
    value: Any
    score: ScoreField = None

    def validate(self) -> None:
        if self.value is None or self.value == ():
            raise invalid("in has no value", "a value or a non-empty tuple of values")


@spelled_class
class Range(Operator):
    """Matches documents with a value between the bounds; a constant 1 per matching path.

    Args:
        path: one path or several.
        gt, gte: lower bound, one of them at most.
        lt, lte: upper bound, one of them at most; bounds share one type.
        score: boost or replace the constant.
    """

    label: ClassVar[str] = "range"

    path: Annotated[FieldPath, checks.texts]
    gt: Any = None
    gte: Any = None
    lt: Any = None
    lte: Any = None
    score: ScoreField = None

    def validate(self) -> None:
        lower, upper = (self.gt, self.gte), (self.lt, self.lte)
        if all(bound is None for bound in (*lower, *upper)):
            raise invalid("range has no bound", "at least one of gt, gte, lt, lte")
        if None not in lower or None not in upper:
            raise invalid("range has two bounds on one side", "one of gt and gte, one of lt and lte")


@spelled_class
class Exists(Operator):
    """Matches documents in which the path is present, be it null.

    Args:
        path: one plain path that the index maps.
        score: boost or replace the constant 1.
    """

    label: ClassVar[str] = "exists"

    path: Annotated[str, checks.text]
    score: ScoreField = None
