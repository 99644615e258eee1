"""Character filters: what happens to text before it is cut into tokens."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, ListOf, MapOf, Tagged, Text, field, no_duplicates, required

CHAR_FILTER: Final = Tagged(
    "type",
    {
        "htmlStrip": Document(field("ignoredTags", ListOf(Text(), rule=no_duplicates))),
        "icuNormalize": Document(),
        "mapping": Document(required("mappings", MapOf(Text(), empty=False))),
        "persian": Document(),
    },
)
