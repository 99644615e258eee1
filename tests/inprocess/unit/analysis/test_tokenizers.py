"""Where tokens begin and end: lengths, emoji, scripts without spaces, UTF-16 offsets, the fast path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.search.analysis import registry
from atlas_rag.inprocess.search.analysis.tokenizers.simple import letter_tokenizer, whitespace_tokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.standard import StandardTokenizer


def terms(text: str, max_length: int = 255) -> list[str]:
    return [token.term for token in StandardTokenizer(max_length).tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wi-fi C++ snake_case", ["wi", "fi", "C", "snake_case"]),
        ("3.14 10.1.0 1,234.5 a.b o'neil's", ["3.14", "10.1.0", "1,234.5", "a.b", "o'neil's"]),
        ("end. 'quoted' (x)", ["end", "quoted", "x"]),
        ("漢字かな カタカナ", ["漢", "字", "か", "な", "カタカナ"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("👩‍👩‍👧 👍🏽 🇩🇪🇫🇷 1️⃣ ❤️", ["👩‍👩‍👧", "👍🏽", "🇩🇪", "🇫🇷", "1️⃣", "❤️"]),
        ("½ ① ©", ["©"]),
        ("צה\"ל ג'", ['צה"ל', "ג'"]),
        ("_ __ _a_", ["_a_"]),
        ("", []),
    ],
)
def test_words_numbers_ideographs_and_emoji_are_tokens(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_a_long_run_is_cut_and_the_rest_tokenized_anew() -> None:
    assert [len(term) for term in terms("a" * 600)] == [255, 255, 90]
    assert terms("abcdefg 12345", 4) == ["abcd", "efg", "1234", "5"]
    assert terms("ab.cd", 4) == ["ab.c", "d"]
    assert terms("abc.d", 4) == ["abc", "d"]


def test_lengths_count_utf16_units() -> None:
    # each of these letters is two units, so two of them fit into five
    assert terms("𐐀𐐁𐐂𐐃", 5) == ["𐐀𐐁", "𐐂𐐃"]


def test_offsets_count_utf16_units() -> None:
    tokens = registry().get("lucene.standard").tokens("😀 x 𐐀y z")
    assert [token[:3] for token in tokens] == [("😀", 0, 2), ("x", 3, 4), ("𐐨y", 5, 8), ("z", 9, 10)]


def test_whitespace_keeps_no_break_spaces_inside() -> None:
    tokenizer = whitespace_tokenizer()
    assert [token.term for token in tokenizer.tokenize("a\u00a0b\u2009c\x85d")] == ["a\u00a0b", "c\x85d"]


def test_letters_end_at_digits_and_marks() -> None:
    assert [token.term for token in letter_tokenizer().tokenize("don't é1x")] == ["don", "t", "é", "x"]


ALPHABET = st.sampled_from(
    [*"aZ09_.,:;'\"-# \n", "é", "ß", "א", "漢", "か", "ー", "한", "ก", "ั", "😀", "🇩", "\u200d", "\ufe0f"]
)


@given(st.text(ALPHABET, max_size=40), st.sampled_from(["standard", "english", "simple", "whitespace"]))
def test_the_fast_path_gives_the_terms_and_positions_of_the_tokens(text: str, name: str) -> None:
    analyzer = registry().get(f"lucene.{name}")
    place, positions = -1, []
    for token in analyzer.tokens(text):
        place += token.increment
        positions.append(place)
    assert analyzer.terms(text) == ([token.term for token in analyzer.tokens(text)], positions)


@given(st.text(ALPHABET, max_size=60), st.sampled_from([3, 7, 255]))
def test_tokens_lie_in_order_and_spell_the_text(text: str, max_length: int) -> None:
    place = 0
    for token in StandardTokenizer(max_length).tokenize(text):
        assert place <= token.start < token.end
        assert text[token.start : token.end] == token.term
        assert len(token.term.encode("utf-16-le")) // 2 <= max_length
        place = token.end
