"""The query of an analysed text in one field: terms, alternatives on one position, phrases, token graphs.

Source: Lucene's QueryBuilder. Where tokens span several positions the text is cut at the positions that every
way to read it passes; between two of them, one way must be there with all its terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.token_graph import Step, TokenGraph
from atlas_rag.inprocess.search.analysis import Analyzer
from atlas_rag.inprocess.search.search_index.fields.text import StringField
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    MAX_CLAUSES,
    MUST,
    SHOULD,
    Boolean,
    Clause,
    Occur,
    TooManyClauses,
    should,
)
from atlas_rag.inprocess.search.search_index.queries.dismax import DisjunctionMax
from atlas_rag.inprocess.search.search_index.queries.leaves import Synonym, Term
from atlas_rag.inprocess.search.search_index.queries.phrase import Phrase

ALTERNATIVES_TIE = 0.1
"""What the other ways count beside the best, where synonyms made them."""


def require_positions(field: StringField) -> None:
    """Refuses a field that keeps no positions."""
    if not field.options.positions:
        raise EngineRefusal(
            f"field {field.path} not indexed as string with indexOptions=offset or "
            "indexOptions=positions, which is required for phrase operator queries"
        )


def steps_of(analyzer: Analyzer, text: str) -> list[Step]:
    """Reads a text as the steps of a token graph."""
    return [Step(*step) for step in analyzer.steps(text)]


def terms(field: StringField, steps: Sequence[Step], occur: Occur, *, best_way: bool = False) -> Query | None:
    """Builds the terms of a text; None where the analyzer left nothing.

    Args:
        occur: how the terms of a plain text, or the stretches of a graph, take part.
        best_way: of several ways through a stretch the best counts most, each of them read as a phrase.
    """
    if len(steps) < 2:
        return Term(field.name, steps[0].term) if steps else None
    if any(step.length > 1 for step in steps):
        return _graph(field, TokenGraph(steps), occur, best_way=best_way)
    groups = list(_groups(steps))
    if _positions(steps) == 1:
        return Synonym(field.name, groups[0])
    return _joined([_any_of(field, group) for group in groups], occur)


def phrase(field: StringField, steps: Sequence[Step], slop: int) -> Query | None:
    """Builds the phrase of a text, every way through a graph for itself; None where nothing is left."""
    if len(steps) < 2:
        return Term(field.name, steps[0].term) if steps else None
    if any(step.length > 1 for step in steps):
        return _joined([_phrase(field, way, slop) for way in _first(TokenGraph(steps).ways())], SHOULD)
    return _phrase(field, steps, slop)


def _phrase(field: StringField, steps: Sequence[Step], slop: int) -> Query:
    if len(steps) == 1:
        return Term(field.name, steps[0].term)
    places = list(_groups(steps))
    if _positions(steps) == 1:
        return Synonym(field.name, places[0])
    require_positions(field)
    positions, at = [], -1
    for step in steps:
        at += step.increment
        if step.increment:
            positions.append(at)
    return Phrase(field.name, tuple(places), tuple(positions), slop)


def _graph(field: StringField, graph: TokenGraph, occur: Occur, *, best_way: bool) -> Query:
    parts: list[Query] = []
    for start, end in pairwise([0, *graph.cuts()]):
        if not graph.forks(start):
            parts.append(_any_of(field, tuple(graph.terms(start))))
            continue
        ways = _first(graph.ways(start, end))
        if best_way:
            parts.append(DisjunctionMax(tuple(_phrase(field, way, 0) for way in ways), ALTERNATIVES_TIE))
        else:
            parts.append(should([_all_of(field, way) for way in ways]))
    return _joined(parts, occur)


def _all_of(field: StringField, way: Sequence[Step]) -> Query:
    if len(way) == 1:
        return Term(field.name, way[0].term)
    return _joined([Term(field.name, step.term) for step in way], MUST)


def _any_of(field: StringField, group: tuple[str, ...]) -> Query:
    """One term, or the terms of one position counted as one."""
    return Term(field.name, group[0]) if len(group) == 1 else Synonym(field.name, group)


def _joined(parts: Sequence[Query], occur: Occur) -> Query:
    return Boolean(tuple(Clause(occur, part) for part in parts))


def _groups(steps: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    """The terms of each position."""
    group: list[str] = []
    for step in steps:
        if step.increment and group:
            yield tuple(group)
            group = []
        group.append(step.term)
    yield tuple(group)


def _positions(steps: Sequence[Step]) -> int:
    """How many positions a text takes, holes included."""
    return sum(step.increment for step in steps)


def _first(ways: Iterable[list[Step]]) -> list[list[Step]]:
    """The ways through a graph, which are refused where they are too many for one query."""
    found = list(islice(ways, MAX_CLAUSES + 1))
    if len(found) > MAX_CLAUSES:
        raise TooManyClauses
    return found
