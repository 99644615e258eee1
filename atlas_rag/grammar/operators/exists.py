"""`exists`: a path was present, whatever its value."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document
from atlas_rag.grammar.operators.common import PLAIN
from atlas_rag.grammar.scores import SCORE

EXISTS: Final = Document(SCORE, PLAIN)
