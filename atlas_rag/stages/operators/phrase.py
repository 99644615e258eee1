"""`phrase`: terms next to each other."""

from __future__ import annotations

from typing import ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators import paths
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreOption, score_option
from atlas_rag.stages.spelling import MISSING, option, spelled_class


@spelled_class
class Phrase(Operator):
    """Matches documents with the query's terms in order, up to `slop` moves apart.

    Args:
        query: one phrase or several alternatives.
        path: string fields indexed with positions.
        slop: moves allowed, ≥ 0; default 0.
        synonyms: name of a synonym mapping of the index.
        score: boost or replace the relevance.
    """

    label: ClassVar[str] = "phrase"

    query: str | tuple[str, ...] = option(MISSING, check=checks.texts)
    path: paths.Path = option(MISSING, check=paths.path, read=paths.read_path)
    slop: int | None = option(check=checks.integer(0))
    synonyms: str | None = option(check=checks.text)
    score: ScoreOption | None = score_option()
