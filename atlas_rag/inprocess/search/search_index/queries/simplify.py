"""How a Boolean is rewritten: the simplifications of Lucene 10.1's BooleanQuery, in its order.

Each rule returns a new query or None. They keep scores up to the order of floating-point sums, which is why
the same rules are needed: a merged duplicate has one clause's statistics, a flattened group one sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    FILTER,
    MUST,
    MUST_NOT,
    SHOULD,
    Boolean,
    Clause,
    Occur,
)
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll, MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant

_ALL = MatchAll()


def simplify(query: Boolean, partition: Partition) -> Query:
    """Applies the first rule that fits; the caller repeats until none does."""
    if _is_plain_disjunction(query):
        return query
    alone = _alone(query)
    if alone is not None:
        return alone
    clauses = _rewrite_clauses(query, partition)
    if clauses is not None:
        return clauses
    parts = _Parts.of(query)
    for rule in _RULES:
        simpler = rule(query, parts)
        if simpler is not None:
            return simpler
    return query


class _Parts(NamedTuple):
    """The queries of a Boolean by kind of clause."""

    must: list[Query]
    filters: list[Query]
    optional: list[Query]
    prohibited: list[Query]

    @classmethod
    def of(cls, query: Boolean) -> _Parts:
        kinds: dict[Occur, list[Query]] = {MUST: [], FILTER: [], SHOULD: [], MUST_NOT: []}
        for occur, inner in query.clauses:
            kinds[occur].append(inner)
        return cls(*kinds.values())


def _is_plain_disjunction(query: Boolean) -> bool:
    """Whether the query is only distinct optional terms: the common case, and nothing to do."""
    clauses = query.clauses
    if len(clauses) < 2 or query.minimum > 0:
        return False
    if not all(clause.occur is SHOULD and type(clause.query) is Term for clause in clauses):
        return False
    return len(set(clauses)) == len(clauses)


def _alone(query: Boolean) -> Query | None:
    if not query.clauses:
        return MatchNothing("empty BooleanQuery")
    if len(query.of(SHOULD)) < query.minimum:
        return MatchNothing("SHOULD clause count less than minimumNumberShouldMatch")
    if len(query.clauses) > 1:
        return None
    occur, inner = query.clauses[0]
    if query.minimum == 1 and occur is SHOULD:
        return inner
    if query.minimum:
        return None
    if occur in (SHOULD, MUST):
        return inner
    if occur is FILTER:
        return Boost(Constant(inner), 0.0)
    return MatchNothing("pure negative BooleanQuery")


def _rewrite_clauses(query: Boolean, partition: Partition) -> Query | None:
    changed, kept = False, []
    for occur, inner in query.clauses:
        if occur in (FILTER, MUST_NOT):
            simpler = Constant(inner).rewrite(partition)
            if isinstance(simpler, Constant):
                simpler = simpler.query
        else:
            simpler = inner.rewrite(partition)
        if isinstance(simpler, MatchNothing):
            if occur in (MUST, FILTER):
                return simpler
            changed = True
            continue
        changed = changed or simpler is not inner
        kept.append(Clause(occur, simpler))
    return Boolean(tuple(kept), query.minimum) if changed else None


def _drop_duplicates(query: Boolean, parts: _Parts) -> Query | None:
    if len(parts.filters) + len(parts.prohibited) < 2:
        return None
    seen: set[Clause] = set()
    kept = []
    for clause in query.clauses:
        if clause.occur in (FILTER, MUST_NOT):
            if clause in seen:
                continue
            seen.add(clause)
        kept.append(clause)
    return Boolean(tuple(kept), query.minimum) if len(kept) < len(query.clauses) else None


def _contradiction(query: Boolean, parts: _Parts) -> Query | None:
    if not parts.prohibited:
        return None
    prohibited = set(parts.prohibited)
    if _ALL in prohibited:
        return MatchNothing("MUST_NOT clause is MatchAllDocsQuery")
    if prohibited & {*parts.must, *parts.filters}:
        return MatchNothing("FILTER or MUST clause also in MUST_NOT")
    return None


def _drop_implied_filters(query: Boolean, parts: _Parts) -> Query | None:
    if not parts.filters:
        return None
    implied = set(parts.filters) & set(parts.must)
    if _ALL in parts.filters and (len(parts.filters) > 1 or parts.must):
        implied.add(_ALL)
    if not implied:
        return None
    kept = [clause for clause in query.clauses if clause.occur is not FILTER or clause.query not in implied]
    return Boolean(tuple(kept), query.minimum)


def _filters_also_optional(query: Boolean, parts: _Parts) -> Query | None:
    if not parts.filters or not parts.optional:
        return None
    both = set(parts.filters) & set(parts.optional)
    if not both:
        return None
    kept, minimum = [], query.minimum
    for clause in query.clauses:
        if clause.query not in both:
            kept.append(clause)
        elif clause.occur is SHOULD:
            kept.append(Clause(MUST, clause.query))
            minimum -= 1
    return Boolean(tuple(kept), max(0, minimum))


def _merge_equal_optional(query: Boolean, parts: _Parts) -> Query | None:
    return None if query.minimum > 1 else _merge_equal(query, SHOULD, parts.optional)


def _merge_equal_required(query: Boolean, parts: _Parts) -> Query | None:
    return _merge_equal(query, MUST, parts.must)


def _merge_equal(query: Boolean, occur: Occur, parts: Sequence[Query]) -> Query | None:
    if len(parts) < 2:
        return None
    boosts: dict[Query, float] = {}
    for part in parts:
        bare, factor = _bare(part)
        boosts[bare] = boosts.get(bare, 0.0) + factor
    if len(boosts) == len(parts):
        return None
    merged = [Clause(occur, _boosted(part, factor)) for part, factor in boosts.items()]
    others = [clause for clause in query.clauses if clause.occur is not occur]
    return Boolean((*merged, *others), query.minimum)


def _bare(query: Query) -> tuple[Query, float]:
    """Splits a query into what is boosted and its factor."""
    factor = 1.0
    while isinstance(query, Boost):
        factor *= query.boost
        query = query.query
    return query, factor


def _boosted(query: Query, factor: float) -> Query:
    boost = float(np.float32(factor))
    return query if boost == 1 else Boost(query, boost)


def _must_all_with_filter(query: Boolean, parts: _Parts) -> Query | None:
    if len(parts.must) != 1 or not parts.filters:
        return None
    must, factor = _bare(parts.must[0])
    if not isinstance(must, MatchAll):
        return None
    kept = tuple(clause for clause in query.clauses if clause.occur in (FILTER, MUST_NOT))
    scored = _boosted(Constant(Boolean(kept)), factor)
    optional = tuple(Clause(SHOULD, part) for part in parts.optional)
    return Boolean((Clause(MUST, scored), *optional), query.minimum)


def _flatten_disjunctions(query: Boolean, parts: _Parts) -> Query | None:
    if query.minimum > 1 or not any(isinstance(part, Boolean) for part in parts.optional):
        return None
    changed, kept = False, list[Clause]()
    for clause in query.clauses:
        inner = clause.query
        if clause.occur is SHOULD and isinstance(inner, Boolean) and inner.is_pure_disjunction:
            kept.extend(inner.clauses)
            changed = True
        else:
            kept.append(clause)
    return Boolean(tuple(kept), query.minimum) if changed else None


def _inline_required(query: Boolean, parts: _Parts) -> Query | None:
    if not any(isinstance(part, Boolean) for part in (*parts.must, *parts.filters)):
        return None
    changed, kept = False, list[Clause]()
    for clause in query.clauses:
        inner = clause.query
        fits = clause.occur in (MUST, FILTER) and isinstance(inner, Boolean)
        if fits and isinstance(inner, Boolean) and not inner.minimum and not inner.of(SHOULD):
            changed = True
            for occur, part in inner.clauses:
                kept.append(Clause(FILTER if clause.occur is FILTER and occur is MUST else occur, part))
        else:
            kept.append(clause)
    return Boolean(tuple(kept), query.minimum) if changed else None


def _optional_all_needed(query: Boolean, parts: _Parts) -> Query | None:
    if not query.minimum or len(parts.optional) != query.minimum:
        return None
    return Boolean(tuple(Clause(MUST if c.occur is SHOULD else c.occur, c.query) for c in query.clauses))


def _inline_only_must(query: Boolean, parts: _Parts) -> Query | None:
    if parts.optional or len(parts.must) != 1:
        return None
    inner = parts.must[0]
    if not isinstance(inner, Boolean) or any(clause.occur is not SHOULD for clause in inner.clauses):
        return None
    others = tuple(clause for clause in query.clauses if clause.occur is not MUST)
    return Boolean((*others, *inner.clauses), max(1, inner.minimum))


_RULES: Sequence[Callable[[Boolean, _Parts], Query | None]] = (
    _drop_duplicates,
    _contradiction,
    _drop_implied_filters,
    _filters_also_optional,
    _merge_equal_optional,
    _merge_equal_required,
    _must_all_with_filter,
    _flatten_disjunctions,
    _inline_required,
    _optional_all_needed,
    _inline_only_must,
)


def drop_scoring(query: Boolean) -> Query:
    """Rewrites a Boolean whose scores nobody reads: MUST becomes FILTER, idle optional clauses go."""
    keep_optional = query.minimum > 0 or not (query.of(MUST) or query.of(FILTER))
    changed, kept = False, []
    for occur, inner in query.clauses:
        if occur is SHOULD and not keep_optional:
            changed = True
            continue
        bare = inner.query if isinstance(inner, Boost) else inner
        bare = bare.query if isinstance(bare, Constant) else bare
        bare = bare.unscored()
        changed = changed or bare is not inner or occur is MUST
        kept.append(Clause(FILTER if occur is MUST else occur, bare))
    return Boolean(tuple(kept), query.minimum) if changed else query
