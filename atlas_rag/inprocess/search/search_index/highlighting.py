"""Highlights: which pieces of a document's texts a query matched.

The terms of every queried path count in every highlighted path; terms of prohibited clauses do not. A phrase
counts only where it stands. Texts are read from the source document and analysed again.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.highlight import Match, examined, highlight
from atlas_rag.inprocess.search.algorithms.levenshtein import TermTable
from atlas_rag.inprocess.search.search_index.fields.autocomplete import AutocompleteField
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.operators.context import Context, as_list
from atlas_rag.inprocess.search.search_index.queries.automaton import AutomatonPhrase
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.block_join import ToChild, ToParent
from atlas_rag.inprocess.search.search_index.queries.boolean import MUST_NOT, Boolean
from atlas_rag.inprocess.search.search_index.queries.dismax import DisjunctionMax
from atlas_rag.inprocess.search.search_index.queries.function import FunctionScore
from atlas_rag.inprocess.search.search_index.queries.fuzzy import Fuzzy
from atlas_rag.inprocess.search.search_index.queries.leaves import Synonym, Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase
from atlas_rag.inprocess.search.search_index.queries.spans import Spans
from atlas_rag.inprocess.search.search_index.queries.termsets import Pattern, TermRange, WithinEdits
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant

DEFAULT_PASSAGES = 5
DEFAULT_CHARACTERS = 500_000
_TEXT_KINDS = ("$type:string/", "$type:autocomplete/", "$multi/")


@dataclass(slots=True)
class Wanted:
    """What a query looks for in texts.

    Args:
        patterns: a label, and what accepts a term.
        fields: names of the fields that terms are looked up in.
        nearby: names of the fields where terms near one are.
    """

    terms: set[str] = field(default_factory=set)
    patterns: dict[str, Callable[[str], object]] = field(default_factory=dict)
    phrases: list[Phrase] = field(default_factory=list)
    fields: set[str] = field(default_factory=set)
    nearby: set[str] = field(default_factory=set)

    @property
    def anything(self) -> bool:
        """Whether a text can match at all."""
        return bool(self.terms or self.patterns or self.phrases)

    def collect(self, query: Query) -> None:
        """Adds what a query looks for, outside prohibited clauses."""
        if isinstance(query, Boolean):
            for occur, inner in query.clauses:
                if occur is not MUST_NOT:
                    self.collect(inner)
        elif isinstance(query, DisjunctionMax):
            for inner in query.queries:
                self.collect(inner)
        elif isinstance(query, Boost | Constant | FunctionScore | ToParent | ToChild):
            self.collect(query.query)
        elif isinstance(query, Synonym | AutomatonPhrase | Spans):
            self.fields.add(query.field)
            self.terms.update(query.terms)
        elif isinstance(query, Term | Phrase | Pattern | WithinEdits | Fuzzy | TermRange):
            self._leaf(query)

    def _leaf(self, query: Term | Phrase | Pattern | WithinEdits | Fuzzy | TermRange) -> None:
        if not any(kind in query.field for kind in _TEXT_KINDS):
            return
        if isinstance(query, Term):
            self.terms.add(query.term)
            self.fields.add(query.field)
        elif isinstance(query, Phrase):
            self.phrases.append(query)
        elif isinstance(query, Pattern | TermRange):
            self.patterns[str(query)] = query.matches
        else:
            self.patterns[f"{query.field}:{query.term}~{query.max_edits}"] = _near(query)
            self.nearby.add(query.field)


def _near(query: WithinEdits | Fuzzy) -> Callable[[str], object]:
    @cache
    def accepts(term: str) -> bool:
        found = TermTable([term]).neighbours(query.term, query.max_edits, query.prefix_length)
        return len(found.indices) > 0

    return accepts


class _Place(NamedTuple):
    """One token of a text."""

    term: str
    start: int
    end: int
    position: int


class Highlighter:
    """The `highlight` option of a request.

    Args:
        query: the query before rewriting.
        values_at: the strings at a path of a document.
    """

    def __init__(
        self,
        option: Mapping[str, Any],
        query: Query,
        context: Context,
        values_at: Callable[[Mapping[str, Any], str], list[str]],
    ) -> None:
        self._wanted = Wanted()
        self._wanted.collect(query)
        self._targets = list(_targets(option["path"], context, self._wanted))
        self._values_at = values_at
        self._above = len(context.scope.path) + 1 if context.scope.path else 0
        passages, characters = option.get("maxNumPassages"), option.get("maxCharsToExamine")
        self._passages = DEFAULT_PASSAGES if passages is None else int(passages)
        self._characters = DEFAULT_CHARACTERS if characters is None else int(characters)

    def highlights(self, document: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Returns the highlights of a document, by path, then in text order."""
        found: list[dict[str, Any]] = []
        for target in self._targets if self._wanted.anything else ():
            values = examined(self._values_at(document, target.path[self._above :]), self._characters)
            matches = self._matches([target.places(value) for value in values])
            if any(matches):
                passages = highlight(values, matches, max_passages=self._passages)
                found.extend(
                    {"score": each["score"], "path": target.shown, "texts": each["texts"]}
                    for each in passages
                )
        return found

    def _matches(self, texts: Sequence[Sequence[_Place]]) -> list[list[Match]]:
        labels = [[set(self._labels(place.term)) for place in places] for places in texts]
        counts = self._counts(texts)
        spots = {spot for phrase in self._wanted.phrases for spot in _phrase_places(phrase, texts)}
        marked = Counter(texts[value][at].term for value, at in spots)
        for value, at in spots:
            labels[value][at].add(texts[value][at].term)
        counts.update({term: marked[term] - counts[term] for term in marked.keys() - self._wanted.terms})
        return [
            [
                Match(place.start, place.end, label, counts[label])
                for place, own in zip(places, found, strict=True)
                for label in own
            ]
            for places, found in zip(texts, labels, strict=True)
        ]

    def _labels(self, term: str) -> Iterator[str]:
        if term in self._wanted.terms:
            yield term
        for label, accepts in self._wanted.patterns.items():
            if accepts(term):
                yield label

    def _counts(self, texts: Sequence[Sequence[_Place]]) -> Counter[str]:
        """How often each term, and each pattern's terms together, occur in the field."""
        counts = Counter[str]()
        for places in texts:
            for place in places:
                counts[place.term] += 1
                for label, accepts in self._wanted.patterns.items():
                    if accepts(place.term):
                        counts[label] += 1
        return counts


class _Target(NamedTuple):
    """One highlighted field: its path as shown, and how it cuts a text into terms."""

    path: str
    shown: Any
    field: StringField | AutocompleteField

    def places(self, value: str) -> list[_Place]:
        """Returns the terms of one value."""
        if isinstance(self.field, AutocompleteField):
            return [_Place(*gram) for gram in self.field.placed_grams(value)]
        places, position = [], -1
        for token in self.field.analyzer.tokens(value):
            position += token.increment
            places.append(_Place(token.term, token.start, token.end, position))
        return places


def _targets(paths: Any, context: Context, wanted: Wanted) -> Iterator[_Target]:
    found: dict[tuple[str, str], _Target] = {}
    for path in as_list(paths):
        multi = path.get("multi") if isinstance(path, Mapping) else None
        for each in _fields(path, context, wanted):
            shown = each.path if multi is None else {"value": each.path, "multi": multi}
            found.setdefault((each.path, multi or ""), _Target(each.path, shown, each))
    yield from (found[key] for key in sorted(found))


def _fields(path: Any, context: Context, wanted: Wanted) -> list[StringField | AutocompleteField]:
    fields = context.strings(path)
    if isinstance(path, Mapping) and path.get("wildcard") is not None:
        stored = [each for each in fields if each.stored]
        return [_grams(each.path, context, wanted.fields) or each for each in stored]
    name = path if isinstance(path, str) else path["value"]
    node = context.node(name)
    listed = node is not None and (node.is_static or not context.scope.path)
    grams = _grams(name, context, wanted.fields if fields else wanted.fields | wanted.nearby)
    if listed and grams is not None:
        return [grams]
    if not fields or not listed:
        raise EngineRefusal(
            f"Highlights cannot be generated. Path: {name} is not indexed as string with store: true"
        )
    if not fields[0].stored:
        raise EngineRefusal(
            f"Highlights can not be generated for path:{name}. Index definition specifies store:false"
        )
    return [fields[0]]


def _grams(path: str, context: Context, queried: Collection[str]) -> AutocompleteField | None:
    """The autocomplete field of a path where that is one of those that the query asks."""
    node = context.node(path)
    grams = None if node is None else node.autocomplete
    return grams if grams is not None and grams.name in queried else None


def _phrase_places(phrase: Phrase, texts: Sequence[Sequence[_Place]]) -> Iterator[tuple[int, int]]:
    """Yields (value, token) of every token that takes part in a match of a phrase."""
    where: dict[str, list[tuple[int, int, int]]] = {}
    shift = 0
    for value, places in enumerate(texts):
        for at, place in enumerate(places):
            where.setdefault(place.term, []).append((place.position + shift, value, at))
        shift += places[-1].position + 1 if places else 0
    lists = [sorted(spot for term in terms for spot in where.get(term, ())) for terms in phrase.places]
    if all(lists):
        matches = _exact(lists, phrase.positions) if phrase.slop == 0 else _near_spans(lists, phrase)
        for match in matches:
            yield from ((value, at) for _, value, at in match)


_Spot = tuple[int, int, int]


def _exact(lists: Sequence[Sequence[_Spot]], positions: Sequence[int]) -> Iterator[list[_Spot]]:
    by_position = [{spot[0]: spot for spot in spots} for spots in lists]
    for start, *_ in lists[0]:
        chosen = [
            spots.get(start - positions[0] + at) for spots, at in zip(by_position, positions, strict=True)
        ]
        if all(chosen):
            yield [spot for spot in chosen if spot is not None]


def _near_spans(lists: Sequence[Sequence[_Spot]], phrase: Phrase) -> Iterator[list[_Spot]]:
    """Unordered windows: always the first of the chosen positions moves on."""
    gaps = phrase.positions[-1] - phrase.positions[0] + 1 - len(phrase.positions)
    heap = [(spots[0], which, 0) for which, spots in enumerate(lists)]
    heapq.heapify(heap)
    highest = max(spot[0] for spot, _, _ in heap)
    while True:
        (position, *_), which, at = heap[0]
        if highest + 1 - position - len(lists) <= phrase.slop + gaps:
            yield [spot for spot, _, _ in heap]
        if at + 1 == len(lists[which]):
            return
        heapq.heapreplace(heap, (lists[which][at + 1], which, at + 1))
        highest = max(highest, lists[which][at + 1][0])
