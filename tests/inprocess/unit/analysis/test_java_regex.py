"""Java's regular expressions in Python's words."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis.java_regex import compile_java, java_replacement


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"\w+", "é1_x", ["1_x"]),  # \w is ASCII in Java
        (r"\p{L}+", "naïve Ω1", ["naïve", "Ω"]),
        (r"\p{Lu}", "aÉb", ["É"]),
        (r"\P{Alpha}+", "a1-b", ["1-"]),
        (r"[\p{Punct}&&]?x", "x", None),
        (r"\Qa.b\E", "a.b axb", ["a.b"]),
        (r"(?<word>a+)\k<word>", "aaaa", ["aaaa"]),
        (r".", "\n\r\x85\u2028a", ["a"]),
        (r"a$", "a\r\n", ["a"]),
        (r"\x{1F600}", "😀", ["😀"]),
        (r"[[a-c]x]+", "abx", ["abx"]),
        (r"a++b", "aab", ["aab"]),
        (r"\h+", "a \t\xa0b", [" \t\xa0"]),
        (r"(?i)K", "k\u212a", ["k"]),  # case folds in ASCII only
    ],
)
def test_a_pattern_finds_what_java_finds(pattern: str, text: str, found: list[str] | None) -> None:
    if found is None:
        with pytest.raises(EngineRefusal, match="intersection"):
            compile_java(pattern)
    else:
        assert [match[0] for match in compile_java(pattern).finditer(text)] == found


@pytest.mark.parametrize("pattern", ["(", "[a", r"\p{Nonsense}", r"a\G", r"[a\X]", "[^[^a]]"])
def test_what_cannot_be_expressed_is_refused(pattern: str) -> None:
    with pytest.raises(EngineRefusal):
        compile_java(pattern)


def test_replacements_name_groups_and_escape_dollars() -> None:
    swapped = java_replacement(r"$2-${first}\$")
    assert compile_java("(?<first>a)(b)").sub(swapped, "ab") == "b-a$"
    with pytest.raises(EngineRefusal, match="Illegal group reference"):
        java_replacement("a$b")
