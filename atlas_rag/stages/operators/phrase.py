"""`phrase`: terms next to each other."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import Query, TextPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class Phrase(Operator):
    """Matches documents with the query's terms in order, up to `slop` moves apart.

    Args:
        query: one phrase or several alternatives.
        path: string fields.
        slop: moves allowed, ≥ 0; default 0. A swap of neighbours takes 2.
        synonyms: name of a synonym mapping of the index.
        score: boost or replace the relevance.

    Needs: `string` fields with `indexOptions` positions or offsets (the default).
    Source: MongoDB documentation, phrase; Lucene's PhraseQuery.
    """

    label: ClassVar[str] = "phrase"

    query: Query
    path: TextPath
    slop: Annotated[int | None, checks.integer(0)] = None
    synonyms: Annotated[str | None, checks.word] = None
    score: ScoreField = None
