"""The `synonyms` option of `text` and `phrase`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.synonyms.rules import (
    Placed,
    Segment,
    Step,
    SynonymRules,
    Words,
    readings,
)
from atlas_rag.inprocess.search.analysis import Analyzer
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.queries.automaton import AutomatonPhrase
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.dismax import DisjunctionMax
from atlas_rag.inprocess.search.search_index.queries.leaves import Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost

EXACT_BOOST = 2.0
"""How much more the text as asked counts than what synonyms make of it."""
ALTERNATIVES_TIE = 0.1

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
            raise EngineRefusal(f'synonym mapping "{name}" is not defined')
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
        return tuple(self._rules.expand(_places(self._analyzer, text)))


def _rules(
    name: str, documents: list[dict[str, Any]], analyzer: Analyzer, mapping: SearchMapping
) -> SynonymRules:
    """The rules that documents make, analysed once while they stay the same."""
    known = _READ.setdefault(mapping, {})
    if name not in known or known[name][0] != documents:
        known[name] = documents, SynonymRules(documents, lambda text: _places(analyzer, text))
    return known[name][1]


def _places(analyzer: Analyzer, text: str) -> list[Placed]:
    terms, positions = analyzer.terms(text)
    return [
        Placed(term, position - before)
        for term, position, before in zip(terms, positions, [-1, *positions], strict=False)
    ]


def automaton(field: StringField, segments: tuple[Segment, ...]) -> Query | None:
    """The text as the engine's older syntax reads it: as a phrase with alternatives."""
    return AutomatonPhrase(field.name, segments) if segments else None


def clauses(field: StringField, segments: tuple[Segment, ...]) -> list[Query]:
    """One query for each segment of the text, in which the best alternative counts most."""
    return [_best_of(field.name, segment) for segment in segments]


def _best_of(field: str, segment: Segment) -> Query:
    words = segment.alternatives
    if segment.single:  # no graph: equal terms are one
        words = tuple(dict.fromkeys(words))
    queries = tuple(_exact(field, each) for each in words)
    return queries[0] if len(queries) == 1 else DisjunctionMax(queries, ALTERNATIVES_TIE)


def _exact(field: str, words: Words) -> Query:
    return _reading(field, tuple(Step(word, position) for position, word in enumerate(words)), 0)


def phrases(field: StringField, segments: tuple[Segment, ...], slop: int) -> Query | None:
    """Every way to read the text as a phrase, their scores added up."""
    ways = [_reading(field.name, steps, slop) for steps in readings(segments) if steps]
    return should(ways) if ways else None


def _reading(field: str, steps: tuple[Step, ...], slop: int) -> Query:
    if len(steps) == 1:
        return Term(field, steps[0].term)
    first = steps[0].position
    places = tuple((step.term,) for step in steps)
    return Phrase(field, places, tuple(step.position - first for step in steps), slop)


def with_exact(found: Query | None, exact: Query | None) -> Query | None:
    """Adds the text as asked, which counts double; a lone term or phrase needs no such help."""
    if found is None or exact is None or isinstance(found, Term | Phrase):
        return found
    return should([found, Boost(exact, EXACT_BOOST)])
