"""`exists`: the path is there."""

from __future__ import annotations

from typing import ClassVar

from atlas_rag.stages.operators.common import PlainPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class Exists(Operator):
    """Matches documents in which the path is present, be it null or of a type that is not indexed.

    Args:
        path: one plain path.
        score: boost or replace the constant 1.

    Needs: the path mapped, or covered by a dynamic mapping.
    Source: MongoDB documentation, exists.
    """

    label: ClassVar[str] = "exists"

    path: PlainPath
    score: ScoreField = None
