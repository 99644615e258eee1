"""The classic query syntax; trees and messages were compared with Lucene's over 12,000 random strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.query_string.nodes import (
    Boosted,
    Clause,
    Everything,
    Fuzzy,
    Group,
    Node,
    Phrase,
    Prefix,
    Range,
    Regexp,
    Wildcard,
    Words,
    edits_of,
    occurrences,
)
from atlas_rag.inprocess.search.algorithms.query_string.parser import parse


def one(query: str) -> Node:
    (clause,) = parse(query, "body").clauses
    return clause.node


@pytest.mark.parametrize(
    ("query", "node"),
    [
        ("fox", Words("body", "fox")),
        ("title:fox", Words("title", "fox")),
        ("meta.author:king", Words("meta.author", "king")),
        ("quick brown fox", Words("body", "quick brown fox", spread=True)),
        (r"a\:b", Words("body", "a:b")),
        (r"\u0041\u00e9b", Words("body", "Aéb")),
        (r"\ud83d\ude00", Words("body", "😀")),
        ('"lazy dog"~2', Phrase("body", "lazy dog", 2)),
        ('"a\\"b"^3~2', Boosted(Phrase("body", 'a"b', 2), 3)),
        ('""', Phrase("body", "")),
        ("qu*", Prefix("body", "qu")),
        ("fo?", Wildcard("body", "fo?")),
        ("a*b*", Wildcard("body", "a*b*")),
        (r"/A.c\//", Regexp("body", r"A.c\/")),
        ("foy~1", Fuzzy("body", "foy", 1)),
        ("foy~", Fuzzy("body", "foy", 2)),
        ("foy~0.5^2", Boosted(Fuzzy("body", "foy", 0.5), 2)),
        ("foy~x", Fuzzy("body", "foy", 2)),
        ("body:{a TO d]", Range("body", "a", "d", False, True)),
        ('[* TO "b c"}^2', Boosted(Range("body", None, "b c", True, False), 2)),
        ("[TO TO TO]", Range("body", "TO", "TO", True, True)),
        ("*:*", Everything()),
        ("*:a", Words("*", "a")),
        ("beta^0", Boosted(Words("body", "beta"), 0)),
        ("- ", Words("body", "-")),
    ],
)
def test_a_single_clause(query: str, node: Node) -> None:
    assert one(query) == node


def test_groups_keep_operators_signs_and_fields() -> None:
    assert parse("+fox -cat && title:(a OR b)^2 c d", "body") == Group(
        (
            Clause("", "+", Words("body", "fox")),
            Clause("", "-", Words("body", "cat")),
            Clause(
                "AND",
                "",
                Boosted(
                    Group((Clause("", "", Words("title", "a")), Clause("OR", "", Words("title", "b")))), 2
                ),
            ),
            Clause("", "", Words("body", "c d", spread=True)),
        )
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [  # printed by Lucene with `the` as a stop word
        ("a OR b AND c", "a +b +c"),
        ("a AND b OR c", "+a +b c"),
        ("a && b || c ! d", "+a +b c d"),
        ("a NOT b", "a -b"),
        ("a AND NOT b", "+a -b"),
        ("-a AND b", "-a +b"),
        ("+a OR -b", "+a -b"),
        ("the AND fox", "+fox"),
        ("fox AND the", "+fox"),
        ("+the", ""),
    ],
)
def test_and_binds_both_neighbours(query: str, expected: str) -> None:
    group = parse(query, "body")
    words = [getattr(clause.node, "text", "") for clause in group.clauses]
    queries = [None if word in ("the", "!") else word for word in words]  # what analysis would drop
    signs = {"must": "+", "should": "", "mustNot": "-"}
    assert " ".join(signs[occur] + word for occur, word in occurrences(group, queries)) == expected


OPERANDS = """Was expecting one of:
    <NOT> ...
    "+" ...
    "-" ...
    <BAREOPER> ...
    "(" ...
    "*" ...
    <QUOTED> ...
    <TERM> ...
    <PREFIXTERM> ...
    <WILDTERM> ...
    <REGEXPTERM> ...
    "[" ...
    "{" ...
    <NUMBER> ...
    """


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("*ale", "'*' or '?' not allowed as first character in WildcardQuery"),
        ("path:*", "'*' or '?' not allowed as first character in WildcardQuery"),
        (r"\*ab*", "'*' not allowed as first character in PrefixQuery"),
        ("gale~1.5", "Fractional edit distances are not allowed!"),
        (
            "gale~-1",
            "Minimum similarity for a FuzzyQuery has to be between 0.0f and 1.0f !",
        ),
        (r"\u00", "Truncated unicode escape sequence."),
        (r"\u00zz", "Non-hex character in Unicode escape sequence: z"),
        (
            "a/b",
            'Lexical error at line 1, column 4.  Encountered: <EOF> after prefix "/b" (in lexical state 2)',
        ),
        ("a^b c", "Lexical error at line 1, column 3.  Encountered: 'b' (98),"),
        ("a ] b", "Lexical error at line 1, column 3.  Encountered: ']' (93), (in lexical state 2)"),
        (
            "(gale AND",
            f'Encountered "<EOF>" at line 1, column 9.\n{OPERANDS}',
        ),
        (
            "AND",
            f'Encountered " <AND> "AND "" at line 1, column 0.\n{OPERANDS}',
        ),
        (
            "[a b]",
            'Encountered " <RANGE_GOOP> "b "" at line 1, column 3.\nWas expecting:\n    "TO" ...\n    ',
        ),
        ("a^", 'Encountered "<EOF>" at line 1, column 2.\nWas expecting:\n    <NUMBER> ...\n    '),
    ],
)
def test_what_is_malformed_is_refused_in_lucenes_words(query: str, problem: str) -> None:
    with pytest.raises(EngineRefusal) as refused:
        parse(query, "body")
    assert refused.value.text == f"Cannot parse '{query}': {problem}"


@given(st.text(alphabet='ab *?~^:"()[]{}+-!/\\TO1.&|', max_size=20))
def test_any_text_parses_or_is_refused(query: str) -> None:
    text = None
    try:
        assert parse(query, "body").clauses
    except EngineRefusal as refusal:
        text = refusal.text
    assert text is None or text.startswith(f"Cannot parse '{query}': ")


@pytest.mark.parametrize(
    ("similarity", "length", "edits"), [(0, 9, 0), (0.5, 3, 1), (0.5, 9, 2), (1, 9, 1), (2, 1, 2), (9, 4, 2)]
)
def test_similarities_become_edits(similarity: float, length: int, edits: int) -> None:
    assert edits_of(similarity, length) == edits
