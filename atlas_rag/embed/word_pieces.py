"""Text to word pieces as BERT's uncased models read it.

Source: Devlin et al. 2018 and the description of WordPiece: lower case, accents off, punctuation and
CJK characters apart, then the longest known piece from the left.
"""

from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

VOCABULARY = Path(__file__).parent / "data" / "bert_uncased_vocabulary.txt.gz"
UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
"""Characters; a longer word is unknown."""
IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


@lru_cache(maxsize=1)
def vocabulary() -> dict[str, int]:
    """Every word piece and its number."""
    with gzip.open(VOCABULARY, "rt", encoding="utf-8") as lines:
        return {line.rstrip("\n"): number for number, line in enumerate(lines)}


def word_pieces(text: str, limit: int) -> list[int]:
    """Numbers of the pieces of a text between start and end mark, at most `limit` in all (≥ 2)."""
    known = vocabulary()
    pieces = [known[START]]
    for word in _words(text):
        if len(pieces) >= limit:
            break
        pieces += _pieces(word)
    return [*pieces[: limit - 1], known[END]]


@lru_cache(maxsize=65_536)
def _pieces(word: str) -> tuple[int, ...]:
    known = vocabulary()
    if len(word) > LONGEST_WORD:
        return (known[UNKNOWN],)
    found: list[int] = []
    start = 0
    while start < len(word):
        prefix = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in known), None)
        if end is None:
            return (known[UNKNOWN],)
        found.append(known[prefix + word[start:end]])
        start = end
    return tuple(found)


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFD", text.lower())
    word: list[str] = []
    for character in plain:
        category = unicodedata.category(character)
        if (
            category == "Mn"
            or (category in ("Cc", "Cf") and character not in "\t\n\r")
            or character == "\ufffd"
        ):
            continue
        alone = _is_punctuation(character, category) or _is_ideograph(character)
        if (alone or character.isspace()) and word:
            yield "".join(word)
            word = []
        if alone:
            yield character
        elif not character.isspace():
            word.append(character)
    if word:
        yield "".join(word)


def _is_punctuation(character: str, category: str) -> bool:
    return category.startswith("P") or (character.isascii() and category.startswith("S"))


def _is_ideograph(character: str) -> bool:
    code = ord(character)
    return code >= 0x3400 and any(low <= code <= high for low, high in IDEOGRAPHS)
