"""`text`: analysed terms, ranked by BM25."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import FuzzyOption, Query, TextPath
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import invalid, spelled_class


@spelled_class
class Text(Operator):
    """Matches documents with any (or all) of the query's terms; the scores of terms and paths add up.

    Args:
        query: what to look for; several strings are alternatives whose scores add.
        path: string fields.
        match_criteria: `any` (default) or `all` terms within one field.
        fuzzy: typing errors to forgive; not together with `synonyms`.
        synonyms: name of a synonym mapping of the index, made with the field's own analyzer.
        score: boost or replace the relevance.

    Needs: `string` fields. Source: MongoDB documentation, text; scores are Lucene BM25, k1 = 1.2, b = 0.75.
    """

    label: ClassVar[str] = "text"

    query: Query
    path: TextPath
    match_criteria: Annotated[str | None, checks.one_of("any", "all")] = None
    fuzzy: FuzzyOption = None
    synonyms: Annotated[str | None, checks.word] = None
    score: ScoreField = None

    def validate(self) -> None:
        if self.fuzzy is not None and self.synonyms is not None:
            raise invalid("text has both fuzzy and synonyms", "one of the two")
