"""`phrase`: analysed terms in order, at most `slop` moves apart."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import NOT_NEGATIVE, Document, Int32, field
from atlas_rag.grammar.operators.common import QUERY, SYNONYMS, TEXTS
from atlas_rag.grammar.scores import SCORE

PHRASE: Final = Document(SCORE, TEXTS, QUERY, field("slop", Int32(NOT_NEGATIVE)), SYNONYMS)
