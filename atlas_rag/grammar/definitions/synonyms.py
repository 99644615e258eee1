"""`synonyms`: mappings kept in a collection of the same database."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, ListOf, Text, required

SYNONYMS: Final = ListOf(
    Document(
        required("name", Text(empty=False)),
        required("source", Document(required("collection", Text(empty=False)))),
        required("analyzer", Text(empty=False)),
    )
)
