"""`wildcard`: whole terms that fit a pattern."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import Query, TextPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class Wildcard(Operator):
    """Matches documents with a term that fits the whole pattern; a constant 1 per path and query.

    Args:
        query: one pattern, `?` for one character, `*` for any run, `\\` to escape, or several alternatives.
        path: string fields.
        allow_analyzed_field: needed unless every field is analysed with `lucene.keyword`; default False.
        score: boost or replace the constant.

    Needs: `string` fields. Source: MongoDB documentation, wildcard; Lucene's WildcardQuery.
    """

    label: ClassVar[str] = "wildcard"

    query: Query
    path: TextPath
    allow_analyzed_field: Annotated[bool | None, checks.flag] = None
    score: ScoreField = None
