"""`regex` and `wildcard`: patterns over whole terms; broken patterns are found when the query runs."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document
from atlas_rag.grammar.operators.common import ALLOW_ANALYZED_FIELD, QUERY, TEXTS
from atlas_rag.grammar.scores import SCORE

REGEX: Final = Document(SCORE, TEXTS, QUERY, ALLOW_ANALYZED_FIELD)
WILDCARD: Final = Document(SCORE, TEXTS, QUERY, ALLOW_ANALYZED_FIELD)
