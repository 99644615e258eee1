"""`phrase`: terms next to each other."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators import paths
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, spelled_class


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

    query: Annotated[str | tuple[str, ...], checks.texts]
    path: Annotated[paths.Path, paths.path, Read(paths.read_path)]
    slop: Annotated[int | None, checks.integer(0)] = None
    synonyms: Annotated[str | None, checks.text] = None
    score: ScoreField = None
