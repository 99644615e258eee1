"""`autocomplete`: beginnings of words of one path."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, Enum, field
from atlas_rag.grammar.operators.common import FUZZY, PLAIN, QUERY
from atlas_rag.grammar.scores import SCORE

AUTOCOMPLETE: Final = Document(SCORE, PLAIN, QUERY, field("tokenOrder", Enum("any", "sequential")), FUZZY)
