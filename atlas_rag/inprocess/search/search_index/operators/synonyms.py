"""The `synonyms` option of `text` and `phrase`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.synonyms.rules import Segment, SynonymRules, graph
from atlas_rag.inprocess.search.algorithms.token_graph import Step
from atlas_rag.inprocess.search.analysis import Analyzer
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.operators.field_query import steps_of
from atlas_rag.inprocess.search.search_index.queries.automaton import AutomatonPhrase
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost

EXACT_BOOST = 2.0
"""How much more the text as asked counts than what synonyms make of it."""

_READ: WeakKeyDictionary[SearchMapping, dict[str, tuple[list[dict[str, Any]], SynonymRules]]] = (
    WeakKeyDictionary()
)


class SynonymReader:
    """A synonym mapping of an index, ready to read texts with.

    Args:
        name: of the mapping.
    """

    def __init__(self, name: str, context: Context) -> None:
        mappings: list[Mapping[str, Any]] = context.mapping.definition.get("synonyms") or []
        found = next((mapping for mapping in mappings if mapping["name"] == name), None)
        if found is None or context.synonyms is None:
            raise EngineRefusal(f'unknown synonym mapping name "{name}"')
        self._name = name
        self._analyzer_name = found["analyzer"]
        self._analyzer = context.mapping.registry.get(found["analyzer"])
        self._rules = _rules(name, context.synonyms(name), self._analyzer, context.mapping)

    def segments(self, field: StringField, text: str) -> tuple[Segment, ...]:
        """Reads a text of a field; refuses a field of another analyzer."""
        own = field.search_analyzer.name
        if own != self._analyzer_name:
            raise EngineRefusal(
                f'synonym mapping "{self._name}" is only allowed with {self._analyzer_name} analyzer, '
                f"field {field.path} is analyzed with {own} analyzer"
            )
        return tuple(self._rules.expand(steps_of(self._analyzer, text)))

    def steps(self, field: StringField, text: str) -> list[Step]:
        """Reads a text of a field as a token graph."""
        return list(graph(self.segments(field, text)))


def _rules(
    name: str, documents: list[dict[str, Any]], analyzer: Analyzer, mapping: SearchMapping
) -> SynonymRules:
    """The rules that documents make, analysed once while they stay the same."""
    known = _READ.setdefault(mapping, {})
    if name not in known or known[name][0] != documents:
        known[name] = documents, SynonymRules(documents, partial(steps_of, analyzer))
    return known[name][1]


def automaton(field: StringField, segments: tuple[Segment, ...]) -> Query | None:
    """The text as the engine's older syntax reads it: as a phrase with alternatives."""
    return AutomatonPhrase(field.name, segments) if segments else None


def with_exact(found: Query | None, exact: Query | None) -> Query | None:
    """Adds the text as asked, which counts double; a lone term or phrase needs no such help."""
    if found is None or exact is None or _is_plain(found):
        return found
    return should([found, Boost(exact, EXACT_BOOST)])


def _is_plain(query: Query) -> bool:
    if isinstance(query, Phrase):
        return all(len(terms) == 1 for terms in query.places)
    return isinstance(query, Term)
