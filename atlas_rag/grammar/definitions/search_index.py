"""The definition of an index of type `search`. Unknown keys of its root are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.analyzers import ANALYZERS
from atlas_rag.grammar.definitions.mappings import MAPPINGS
from atlas_rag.grammar.definitions.partitions import NUM_PARTITIONS
from atlas_rag.grammar.definitions.stored_source import STORED_SOURCE
from atlas_rag.grammar.definitions.synonyms import SYNONYMS
from atlas_rag.grammar.definitions.type_sets import TYPE_SETS
from atlas_rag.grammar.kit import Document, Rule, Text, field, required
from atlas_rag.grammar.problem import At, Found, bare_problem
from atlas_rag.grammar.sorting import Sort


def _no_nested_root(definition: Mapping[str, Any], at: At, found: Found) -> None:
    if definition.get("nestedRoot") is not None:
        text = (
            "`nestedRoot` is not supported in search index definitions. "
            "Remove `nestedRoot` from the definition, "
            'or set the index `type` to `"vectorSearch"` if you intended to create a vector search index.'
        )
        found.append(bare_problem(at, text, "unknown-field"))


SEARCH_INDEX: Final = Document(
    Rule(_no_nested_root),
    field("analyzer", Text()),
    field("searchAnalyzer", Text()),
    required("mappings", MAPPINGS),
    field("analyzers", ANALYZERS),
    field("synonyms", SYNONYMS),
    STORED_SOURCE,
    field("typeSets", TYPE_SETS),
    field("sort", Sort()),
    NUM_PARTITIONS,
    open=True,
)
