"""`regex`: whole terms that fit a regular expression."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import Query, TextPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class Regex(Operator):
    """Matches documents with a term that fits the whole expression; a constant 1 per path and query.

    Args:
        query: one expression in the dialect of Lucene, anchored at both ends, or several alternatives.
        path: string fields.
        allow_analyzed_field: needed unless every field is analysed with `lucene.keyword`; default False.
        score: boost or replace the constant.

    Needs: `string` fields. Source: MongoDB documentation, regex; Lucene's RegExp.
    """

    label: ClassVar[str] = "regex"

    query: Query
    path: TextPath
    allow_analyzed_field: Annotated[bool | None, checks.flag] = None
    score: ScoreField = None
