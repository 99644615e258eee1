"""`queryString`: Lucene's query language; its syntax is read when the query runs."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, Text, required
from atlas_rag.grammar.scores import SCORE

QUERY_STRING: Final = Document(SCORE, required("query", Text(empty=False)), required("defaultPath", Text()))
