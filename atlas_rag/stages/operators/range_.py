"""`range`: between bounds."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages.operators import literals
from atlas_rag.stages.operators.common import DoesNotAffect, FieldPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, invalid, spelled_class

Bound: TypeAlias = Annotated[Any, literals.bound, Read(literals.read_literal)]


@spelled_class
class Range(Operator):
    """Matches documents with a value between the bounds; a constant 1 per matching path, added up.

    Args:
        path: one path or several.
        gt, gte: lower bound, one of them at most.
        lt, lte: upper bound, one of them at most. Bounds are numbers, str, datetime, ObjectId or UUID, both
            of one kind, in order; equal ones both inclusive.
        does_not_affect: names of facets whose counts ignore this clause.
        score: boost or replace the constant.

    Needs: the paths mapped with the bounds' type, strings as `token`.
    Source: MongoDB documentation, range.
    """

    label: ClassVar[str] = "range"

    path: FieldPath
    gt: Bound = None
    gte: Bound = None
    lt: Bound = None
    lte: Bound = None
    does_not_affect: DoesNotAffect = None
    score: ScoreField = None

    def validate(self) -> None:
        if None not in (self.gt, self.gte) or None not in (self.lt, self.lte):
            raise invalid("range has two bounds on one side", "one of gt and gte, one of lt and lte")
        lower = self.gte if self.gt is None else self.gt
        upper = self.lte if self.lt is None else self.lt
        if lower is None and upper is None:
            raise invalid("range has no bound", "at least one of gt, gte, lt, lte")
        if lower is not None and upper is not None:
            self._check_order(lower, upper)

    def _check_order(self, lower: Any, upper: Any) -> None:
        if literals.kind_of(lower) != literals.kind_of(upper):
            raise invalid("range has bounds of different kinds", "bounds of one kind")
        order = literals.compare(lower, upper)
        inclusive = self.gt is None and self.lt is None
        if order > 0 or (order == 0 and not inclusive):
            raise invalid("range holds nothing", "gt, gte below lt, lte; equal bounds both inclusive")
