"""Custom analyzers: character filters, a tokenizer, token filters."""

from __future__ import annotations

from atlas_rag.indexes.definitions.char_filters import CharFilter
from atlas_rag.indexes.definitions.part import Part, Text
from atlas_rag.indexes.definitions.token_filters import TokenFilter
from atlas_rag.indexes.definitions.tokenizers import Tokenizer


class Analyzer(Part):
    """An analyzer of one index.

    Args:
        name: distinct; must not begin with `lucene.`, `builtin.` or `mongodb.`.
        char_filters: run on the text, in order.
        tokenizer: cuts it.
        token_filters: run on the tokens, in order.

    Source: MongoDB documentation, custom analyzers.
    """

    name: Text
    char_filters: tuple[CharFilter, ...] | None = None
    tokenizer: Tokenizer
    token_filters: tuple[TokenFilter, ...] | None = None
