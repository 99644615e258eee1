"""`in`: one of several exact values."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages.operators import literals
from atlas_rag.stages.operators.common import DoesNotAffect, FieldPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, spelled_class


@spelled_class
class In(Operator):
    """Matches documents that hold one of these values; one constant 1 even over several paths.

    Args:
        path: one path or several.
        value: one value, or a non-empty tuple of one kind: bool, ObjectId, number, datetime, str or UUID.
        does_not_affect: names of facets whose counts ignore this clause.
        score: boost or replace the constant 1.

    Needs: the paths mapped with the values' type, strings as `token`.
    Source: MongoDB documentation, in.
    """

    label: ClassVar[str] = "in"

    path: FieldPath
    value: Annotated[Any, literals.one_or_many, Read(literals.read_literal)]
    does_not_affect: DoesNotAffect = None
    score: ScoreField = None
