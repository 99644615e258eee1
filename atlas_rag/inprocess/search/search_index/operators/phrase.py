"""The `phrase` operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators import field_query
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.synonyms import SynonymReader, with_exact
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing


def build(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `phrase` document."""
    slop = int(spec.get("slop") or 0)
    synonyms = spec.get("synonyms")
    reader = None if synonyms is None else SynonymReader(synonyms, context)
    parts = []
    for text in as_list(spec["query"]):
        for field in context.strings(spec["path"]):
            part = phrase(field, text, slop)
            if reader is not None:
                field_query.require_positions(field)
                part = with_exact(field_query.phrase(field, reader.steps(field, text), slop), part)
            if part is not None:
                parts.append(part)
    return scored(should(parts) if parts else MatchNothing("empty"), spec, context)


def phrase(field: StringField, text: str, slop: int) -> Query | None:
    """Builds the phrase of a text in one field; None where the analyzer leaves nothing."""
    return field_query.phrase(field, field_query.steps_of(field.search_analyzer, text), slop)
