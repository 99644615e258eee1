"""The stage `$vectorSearch`."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.filters import FILTER
from atlas_rag.grammar.kit import Document, Text, field, required
from atlas_rag.grammar.paths import PLAIN_PATH
from atlas_rag.grammar.vector_options import vector_document

SEARCH_NODE_PREFERENCE: Final = field(
    "searchNodePreference", Document(required("key", Text(empty=False)), open=True)
)

VECTOR_SEARCH_STAGE: Final = vector_document(
    required("index", Text(empty=False)),
    required("path", PLAIN_PATH),
    filters=(field("filter", FILTER), field("parentFilter", FILTER)),
    last=(SEARCH_NODE_PREFERENCE,),
)
