"""`text`: analysed terms of a query, in any or all of its words."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, Enum, at_most_one, field
from atlas_rag.grammar.operators.common import FUZZY, QUERY, SYNONYMS, TEXTS
from atlas_rag.grammar.scores import SCORE

TEXT: Final = Document(
    SCORE,
    TEXTS,
    QUERY,
    at_most_one(FUZZY, SYNONYMS),
    field("matchCriteria", Enum("all", "any")),
)
