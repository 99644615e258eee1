"""Booleans are rewritten as Lucene does: `+` required, `#` filtering, `-` prohibited, bare optional."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import Query, rewritten
from atlas_rag.inprocess.search.search_index.queries.boolean import (
    FILTER,
    MUST,
    MUST_NOT,
    SHOULD,
    Boolean,
    Occur,
    boolean,
)
from atlas_rag.inprocess.search.search_index.queries.dismax import DisjunctionMax
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll, MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant

A, B, C = (Term("f", letter) for letter in "abc")
ALL, NOTHING = MatchAll(), MatchNothing("none")


def clauses(*pairs: tuple[Occur, Query], minimum: int = 0) -> Boolean:
    return boolean(pairs, minimum)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (clauses((SHOULD, A), (SHOULD, B)), "f:a f:b"),
        (clauses((SHOULD, A)), "f:a"),
        (clauses((MUST, A)), "f:a"),
        (clauses((FILTER, A)), "(ConstantScore(f:a))^0.0"),
        (clauses((MUST_NOT, A)), 'MatchNoDocsQuery("pure negative BooleanQuery")'),
        (clauses(), 'MatchNoDocsQuery("empty BooleanQuery")'),
        (clauses((SHOULD, A), (SHOULD, A), (SHOULD, B)), "(f:a)^2.0 f:b"),
        (clauses((SHOULD, Boost(A, 3.0)), (SHOULD, A), (SHOULD, B)), "(f:a)^4.0 f:b"),
        (clauses((MUST, A), (MUST, A), (MUST, B)), "+(f:a)^2.0 +f:b"),
        (clauses((SHOULD, A), (SHOULD, clauses((SHOULD, B), (SHOULD, C)))), "f:a f:b f:c"),
        (clauses((MUST, clauses((MUST, A), (FILTER, B))), (SHOULD, C)), "+f:a #f:b f:c"),
        (clauses((FILTER, clauses((MUST, A), (MUST_NOT, B))), (MUST, C)), "#f:a -f:b +f:c"),
        (clauses((MUST, clauses((SHOULD, A), (SHOULD, B))), (FILTER, C)), "(#f:c f:a f:b)~1"),
        (clauses((FILTER, A), (FILTER, A), (MUST, B)), "#f:a +f:b"),
        (clauses((FILTER, A), (MUST, A), (SHOULD, B)), "+f:a f:b"),
        (clauses((FILTER, A), (SHOULD, A), (SHOULD, B)), "+f:a f:b"),
        (clauses((FILTER, ALL), (MUST, A), (SHOULD, B)), "+f:a f:b"),
        (clauses((MUST, A), (MUST_NOT, A)), 'MatchNoDocsQuery("FILTER or MUST clause also in MUST_NOT")'),
        (clauses((MUST, A), (MUST_NOT, ALL)), 'MatchNoDocsQuery("MUST_NOT clause is MatchAllDocsQuery")'),
        (clauses((MUST, ALL), (FILTER, A)), "ConstantScore(f:a)"),
        (clauses((SHOULD, A), (SHOULD, B), minimum=2), "+f:a +f:b"),
        (clauses((SHOULD, A), (SHOULD, B), (SHOULD, C), minimum=2), "(f:a f:b f:c)~2"),
        (
            clauses((SHOULD, A), minimum=2),
            'MatchNoDocsQuery("SHOULD clause count less than minimumNumberShouldMatch")',
        ),
        (clauses((SHOULD, A), (SHOULD, NOTHING)), "f:a"),
        (clauses((MUST, A), (MUST, NOTHING)), 'MatchNoDocsQuery("none")'),
        (Constant(clauses((MUST, A), (SHOULD, B))), "ConstantScore(f:a)"),
        (Constant(clauses((MUST, A), (MUST, Boost(B, 2.0)))), "ConstantScore(#f:a #f:b)"),
        (Boost(Boost(A, 2.0), 3.0), "(f:a)^6.0"),
        (Boost(A, 0.0), "(ConstantScore(f:a))^0.0"),
        (DisjunctionMax((A, B), 1.0), "f:a f:b"),
        (DisjunctionMax((A, NOTHING), 0.1), "f:a"),
    ],
    ids=str,
)
def test_is_rewritten_to(query: Query, expected: str) -> None:
    assert str(rewritten(query, Partition())) == expected
