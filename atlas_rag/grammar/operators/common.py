"""Fields that several operators share."""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import (
    NOT_NEGATIVE,
    Boolean,
    Document,
    Int32,
    OneOrMany,
    Range,
    Text,
    field,
    required,
    within,
)
from atlas_rag.grammar.paths import FIELD_PATHS, PLAIN_PATH, TEXT_PATHS

QUERY: Final = required("query", OneOrMany(Text(empty=False), empty=False))
PLAIN: Final = required("path", PLAIN_PATH)
FIELDS: Final = required("path", FIELD_PATHS)
TEXTS: Final = required("path", TEXT_PATHS)
DOES_NOT_AFFECT: Final = field("doesNotAffect", OneOrMany(Text(empty=False)))
"""Facets that a clause leaves alone (drill sideways)."""

SYNONYMS: Final = field("synonyms", Text(empty=False))
ALLOW_ANALYZED_FIELD: Final = field("allowAnalyzedField", Boolean())

FUZZY: Final = field(
    "fuzzy",
    Document(
        field("maxEdits", Int32(Range(lambda edits: edits in (1, 2), "must be either 1 or 2"))),
        field("prefixLength", Int32(NOT_NEGATIVE)),
        field("maxExpansions", Int32(within(1, 1000))),
    ),
)
