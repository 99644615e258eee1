"""`moreLikeThis`: documents like given ones."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, OneOrMany, required
from atlas_rag.grammar.scores import SCORE

MORE_LIKE_THIS: Final = Document(SCORE, required("like", OneOrMany(Document(open=True), empty=False)))
