"""`queryString`: Lucene's query language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import PlainPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class QueryString(Operator):
    """Matches what a query in Lucene's classic syntax asks for; OR is the default between terms.

    Args:
        default_path: string field of terms without a field of their own.
        query: `title:(quiet AND sea) OR "open boat"`; no leading `*`. Its syntax is read on the server.
        score: boost or replace the relevance.

    Needs: `string` fields. Source: MongoDB documentation, queryString; Lucene's classic query parser.
    """

    label: ClassVar[str] = "queryString"

    default_path: PlainPath
    query: Annotated[str, checks.text]
    score: ScoreField = None

    def looks_at(self) -> Iterator[str]:
        yield self.default_path
