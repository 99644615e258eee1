"""`equals`: one exact value, null included."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages.operators import literals
from atlas_rag.stages.operators.common import DoesNotAffect, PlainPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, spelled_class


@spelled_class
class Equals(Operator):
    """Matches documents that hold this value at the path, or as an element of an array there.

    Args:
        path: one plain path.
        value: bool, ObjectId, number, datetime, str, UUID, or None for an explicit null (not: missing).
        does_not_affect: names of facets whose counts ignore this clause.
        score: boost or replace the constant 1.

    Needs: the path mapped with the value's type, a string as `token`.
    Source: MongoDB documentation, equals.
    """

    label: ClassVar[str] = "equals"

    path: PlainPath
    value: Annotated[Any, literals.one_or_null, Read(literals.read_literal)]
    does_not_affect: DoesNotAffect = None
    score: ScoreField = None
