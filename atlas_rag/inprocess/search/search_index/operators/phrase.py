"""The `phrase` operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.operators.synonyms import SynonymReader, phrases, with_exact
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Synonym, Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase


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
                require_positions(field)
                part = with_exact(phrases(field, reader.segments(field, text), slop), part)
            if part is not None:
                parts.append(part)
    return scored(should(parts) if parts else MatchNothing("empty"), spec, context)


def require_positions(field: StringField) -> None:
    """Refuses a field that keeps no positions."""
    if not field.options.positions:
        raise EngineRefusal(
            f"field {field.path} not indexed as string with indexOptions=offset or "
            "indexOptions=positions, which is required for phrase operator queries"
        )


def phrase(field: StringField, text: str, slop: int) -> Query | None:
    """Builds the phrase of a text in one field; None where the analyzer leaves nothing."""
    words, positions = field.search_analyzer.terms(text)
    places: dict[int, list[str]] = {}
    for word, position in zip(words, positions, strict=True):
        places.setdefault(position, []).append(word)
    if not places:
        return None
    if len(places) == 1:
        group = next(iter(places.values()))
        return Term(field.name, group[0]) if len(group) == 1 else Synonym(field.name, tuple(group))
    require_positions(field)
    return Phrase(field.name, tuple(map(tuple, places.values())), tuple(places), slop)
