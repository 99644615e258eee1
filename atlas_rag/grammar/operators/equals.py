"""`equals`: one value, null included."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, nullable
from atlas_rag.grammar.literals import EQUATABLE
from atlas_rag.grammar.operators.common import DOES_NOT_AFFECT, PLAIN
from atlas_rag.grammar.scores import SCORE

EQUALS: Final = Document(SCORE, PLAIN, nullable("value", EQUATABLE), DOES_NOT_AFFECT)
