"""`autocomplete`: words as they are being typed."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import FuzzyOption, PlainPath, Query
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class Autocomplete(Operator):
    """Matches documents with words that begin with (or hold) what was typed so far.

    Args:
        query: what was typed, or several alternatives.
        path: one plain path.
        token_order: `any` (default), or `sequential`: the words next to each other in this order.
        fuzzy: typing errors to forgive; `prefix_length` at most the field's `maxGrams`.
        score: boost or replace the relevance.

    Needs: the path mapped as `autocomplete`; mapped as `string` too, whole words score higher.
    Source: MongoDB documentation, autocomplete.
    """

    label: ClassVar[str] = "autocomplete"

    query: Query
    path: PlainPath
    token_order: Annotated[str | None, checks.one_of("any", "sequential")] = None
    fuzzy: FuzzyOption = None
    score: ScoreField = None
