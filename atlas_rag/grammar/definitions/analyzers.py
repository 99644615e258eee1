"""`analyzers`: a tokenizer between character filters and token filters."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.definitions.char_filters import CHAR_FILTER
from atlas_rag.grammar.definitions.token_filters import TOKEN_FILTER
from atlas_rag.grammar.definitions.tokenizers import TOKENIZER
from atlas_rag.grammar.kit import Document, ListOf, Text, distinct, field, required

RESERVED_PREFIXES: Final = ("lucene.", "builtin.", "mongodb.")


def _not_reserved(name: str) -> str | None:
    for prefix in RESERVED_PREFIXES:
        if name.startswith(prefix):
            return f"cannot begin with {prefix}"
    return None


ANALYZERS: Final = ListOf(
    Document(
        required("name", Text(also=_not_reserved)),
        field("charFilters", ListOf(CHAR_FILTER)),
        required("tokenizer", TOKENIZER),
        field("tokenFilters", ListOf(TOKEN_FILTER)),
    ),
    rule=distinct("name"),
)
