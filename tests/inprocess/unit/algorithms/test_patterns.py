"""Lucene regular expressions and wildcards: what they match, how they refuse."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns.automaton import matching
from atlas_rag.inprocess.search.algorithms.patterns.regexp import compile_regexp
from atlas_rag.inprocess.search.algorithms.patterns.wildcard import compile_wildcard


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("[a-f]o[xg]", ["fox", "dog"], ["gox", "foxy"]),
        ("~(fox)", ["~fox"], ["fox", "dog"]),
        ("^a$", ["^a$"], ["a"]),
        ("(?i)", ["?i"], ["i", "I"]),  # an operator with nothing before it is a character
        ("*a", ["*a"], ["a", "ba"]),
        ("a|b&@c", ["a"], ["b", "bc"]),
        ("(@a@)&(@b@)", ["ab", "ba", "xbya"], ["a", "bb"]),
        ("((a|ab)&..)c", ["abc"], ["ac"]),
        ('"a*"b', ["a*b"], ["aab"]),
        ("a#?b", ["ab"], ["a#b"]),
        ("(ab){2,3}", ["abab", "ababab"], ["ab", "abababab"]),
        ("a{2}{2}", ["aaaa"], ["aaa", "aa"]),
        (r"\d+\w\S", ["12_x", "1aé"], ["a1b", "12 x"]),
        (r"[^\d\-a]", ["b", "é", "\n"], ["1", "-", "a", "bb"]),
        (r"[\\-]", ["\\", "-"], ["a"]),
        (".", ["😀", "\n"], ["ab", ""]),
        ("", [""], ["a"]),
        ("()a", ["a"], [""]),
        ("]a", ["]a"], ["a"]),
        ("a||b", ["a", "|b"], ["b", ""]),
        ("<1-12>", ["1", "12", "007", "10"], ["0", "13", "a"]),
        ("<01-12>", ["01", "12"], ["1", "001", "13"]),
        ("<12-1>", ["5"], ["13"]),
        ("<0-0>", ["0"], ["1"]),
        ("<98-1203>", ["98", "0099", "100", "1203"], ["97", "1204"]),
    ],
)
def test_a_regular_expression_matches_whole_terms(
    pattern: str, inside: list[str], outside: list[str]
) -> None:
    accepts = compile_regexp(pattern).accepts
    assert [term for term in inside if not accepts(term)] == []
    assert [term for term in outside if accepts(term)] == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("a\\", "unexpected end-of-string"),
        ("a|", "unexpected end-of-string"),
        ("[", "unexpected end-of-string"),
        ("[]", "expected ']' at position 2"),
        ("[a", "expected ']' at position 2"),
        ("😀(a", "expected ')' at position 4"),
        ("a)b", "end-of-string expected at position 1"),
        ('"a', "expected '\"' at position 2"),
        ("<5-", "expected '>' at position 3"),
        ("<5->", "interval syntax error at position 3"),
        ("<1-2-3>", "interval syntax error at position 6"),
        ("<x>", "'x' not found"),
        ("<x>(", "unexpected end-of-string"),
        ("[z-a]", "invalid range: from (122) cannot be > to (97)"),
        ("a{2,1}", "invalid repetition range(out of order): 2..1"),
        ("a{}", "integer expected at position 2"),
        ("a{1", "expected '}' at position 3"),
        ("a{99999999999}", 'For input string: "99999999999"'),
        (r"\q", r"invalid character class \113"),
        ("(" * 5000, "the regular expression is nested too deeply"),
    ],
)
def test_a_malformed_regular_expression_is_refused_in_lucenes_words(pattern: str, text: str) -> None:
    with pytest.raises(EngineRefusal) as refused:
        compile_regexp(pattern)
    assert refused.value.text == text


regexes = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\d", "7"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{1,}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)


@given(regexes, st.lists(st.text(alphabet="ab7é", max_size=5), max_size=8))
def test_the_common_dialect_agrees_with_python(pattern: str, terms: list[str]) -> None:
    ours, theirs = compile_regexp(pattern), re.compile(pattern, re.DOTALL | re.ASCII)
    expected = [term for term in terms if theirs.fullmatch(term)]
    assert [term for term in terms if ours.accepts(term)] == expected
    assert all(term.startswith(ours.prefix) for term in expected)


def test_nested_repetition_takes_linear_time() -> None:
    accepts = compile_regexp("(a*)*(a|aa)*b").accepts
    started = time.process_time()
    assert not accepts("a" * 5000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("qu*", ["qu", "quick"], ["q", "aqu"]),
        ("f?x", ["fox", "f😀x"], ["fx", "foox"]),
        ("*a*b", ["ab", "xaxb", "abab"], ["ba", "aba"]),
        ("a*a", ["aa", "aba"], ["a"]),
        (r"a\*b\?", ["a*b?"], ["axb?", "a*bc"]),
        (r"\\\a", ["\\a"], ["\\\\a"]),
        ("a\\", ["a\\"], ["a"]),
        ("", [""], ["a"]),
        ("*", ["", "a\nb"], []),
        ("[a].", ["[a]."], ["ab"]),
    ],
)
def test_a_wildcard_matches_whole_terms(pattern: str, inside: list[str], outside: list[str]) -> None:
    accepts = compile_wildcard(pattern).accepts
    assert [term for term in inside if not accepts(term)] == []
    assert [term for term in outside if accepts(term)] == []


def test_many_stars_take_linear_time() -> None:
    accepts = compile_wildcard("*a" * 20 + "*b").accepts
    started = time.process_time()
    assert not accepts("a" * 20_000)
    assert time.process_time() - started < 2


def test_only_terms_with_the_fixed_prefix_are_looked_at() -> None:
    pattern = compile_wildcard("ab*c")
    seen: list[str] = []
    terms = ["aa", "ab", "abbc", "abc", "abd", "acc", "b"]
    found = matching(terms, pattern.prefix, lambda term: seen.append(term) or pattern.accepts(term))
    assert [terms[index] for index in found] == ["abbc", "abc"]
    assert seen == ["ab", "abbc", "abc", "abd"]


@pytest.mark.parametrize(
    ("pattern", "prefix"), [("abc.*", "abc"), ("ab?c", "a"), ("(ab|ac)d", ""), ("a|b", ""), ("abc", "abc")]
)
def test_a_regular_expression_knows_its_fixed_prefix(pattern: str, prefix: str) -> None:
    assert compile_regexp(pattern).prefix == prefix
