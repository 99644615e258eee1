"""Which patterns Java compiles, and its words for the others."""

from __future__ import annotations

import pytest

from atlas_rag.grammar.java_pattern import PatternError, capturing_groups


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        ("", 0),
        ("a|b|", 0),
        ("(a)(?:b)(?<c>d)", 2),
        ("((a)b)*?", 2),
        (r"\p{L}+\pL\P{Lu}", 0),
        (r"[a-z&&[^aeiou]]+", 0),
        ("[]a]", 0),
        (r"\Q(*\E(x)", 1),
        (r"\Q(", 0),
        ("a{2}{3}", 0),
        ("a{2,}+", 0),
        (r"(?<y>\d)\k<y>\1", 1),
        ("(?i)a(?-i:b)", 0),
        ("(?<=a{1,3})b", 0),
        (r"\x41\u0041\x{1F600}\0101\cA", 0),
        ("^*a$?", 0),
    ],
)
def test_counts_the_groups_of_what_java_compiles(pattern, groups):
    assert capturing_groups(pattern) == groups


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(", "Unclosed group near index 1\n("),
        ("a)", "Unmatched closing ')' near index 0\na)\n^"),
        (")", "Unmatched closing ')'\n)"),
        ("a**", "Dangling meta character '*' near index 2\na**\n  ^"),
        ("[", "Unclosed character class near index 0\n[\n^"),
        ("[z-a]", "Illegal character range near index 3\n[z-a]\n   ^"),
        ("{foo}", "Illegal repetition near index 1\n{foo}\n ^"),
        ("a{x}", "Illegal repetition near index 2\na{x}\n  ^"),
        ("a{2", "Unclosed counted closure near index 3\na{2"),
        (r"a{2,1}", "Illegal repetition range near index 5\na{2,1}\n     ^"),
        (r"[\b]", "Illegal/unsupported escape sequence near index 2\n[\\b]\n  ^"),
        ("(?<1>a)", "capturing group name does not start with a Latin letter near index 3\n(?<1>a)\n   ^"),
        (
            "(?<a>.)(?<a>.)",
            "Named capturing group <a> is already defined near index 11\n(?<a>.)(?<a>.)\n           ^",
        ),
        (
            "(?<=a+)b",
            "Look-behind group does not have an obvious maximum length near index 6\n(?<=a+)b\n      ^",
        ),
        (r"\p{Foo}", "Unknown character property name {Foo} near index 6\n\\p{Foo}\n      ^"),
    ],
)
def test_refuses_in_java_s_words(pattern, text):
    with pytest.raises(PatternError) as refusal:
        capturing_groups(pattern)
    assert str(refusal.value) == text
