"""`text`: analysed terms, ranked by BM25."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators import paths
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, Spelled, invalid, spelled_class


@spelled_class
class Fuzzy(Spelled):
    """Typing errors to forgive.

    Args:
        max_edits: 1 or 2; default 2.
        prefix_length: leading characters that must be right, ≥ 0; default 0.
        max_expansions: terms tried per query term, 1…1000; default 50.
    """

    label: ClassVar[str] = "fuzzy"

    max_edits: Annotated[int | None, checks.integer(1, 2)] = None
    prefix_length: Annotated[int | None, checks.integer(0)] = None
    max_expansions: Annotated[int | None, checks.integer(1, 1000)] = None


@spelled_class
class Text(Operator):
    """Matches documents with any (or all) of the query's terms; the scores of terms and paths add up.

    Args:
        query: what to look for; several strings are alternatives whose scores add.
        path: string fields.
        match_criteria: `any` (default) or `all` terms within one field.
        fuzzy: typing errors to forgive; not together with `synonyms`.
        synonyms: name of a synonym mapping of the index.
        score: boost or replace the relevance.

    Source: MongoDB documentation, text; scores are Lucene BM25, k1 = 1.2, b = 0.75.
    """

    label: ClassVar[str] = "text"

    query: Annotated[str | tuple[str, ...], checks.texts]
    path: Annotated[paths.Path, paths.path, Read(paths.read_path)]
    match_criteria: Annotated[str | None, checks.one_of("any", "all")] = None
    fuzzy: Annotated[Fuzzy | None, checks.instance(Fuzzy), Read(Fuzzy.read)] = None
    synonyms: Annotated[str | None, checks.text] = None
    score: ScoreField = None

    def validate(self) -> None:
        if self.fuzzy is not None and self.synonyms is not None:
            raise invalid("text has both fuzzy and synonyms", "one of the two")
