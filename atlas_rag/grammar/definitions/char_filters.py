"""Character filters: what happens to text before it is cut into tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Document, ListOf, MapOf, Rule, Tagged, Text, field, no_duplicates, required
from atlas_rag.grammar.problem import At, Found, problem


def _no_empty_key(definition: Mapping[str, Any], at: At, found: Found) -> None:
    if "" in definition["mappings"]:
        text = "cannot contain the empty string as a key"
        found.append(problem((at, "mappings"), text, "name"))


CHAR_FILTER: Final = Tagged(
    "type",
    {
        "htmlStrip": Document(field("ignoredTags", ListOf(Text(), rule=no_duplicates))),
        "icuNormalize": Document(),
        "mapping": Document(
            required("mappings", MapOf(Text(), empty=False)), Rule(_no_empty_key, "mappings")
        ),
        "persian": Document(),
    },
)
