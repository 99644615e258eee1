"""Chinese, Japanese, Korean: full-width forms and bigrams."""

from __future__ import annotations

from itertools import pairwise

from atlas_rag.inprocess.search.analysis.token import Token, Tokens
from atlas_rag.inprocess.search.analysis.unicode_classes import word_break_classes

HALF_WIDTH = (
    "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨ"
    "ラリルレロワン゛゜"
)
"""What U+FF65 to U+FF9F stand for; the last two are the voiced and semi-voiced marks."""

WIDTHS = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
WIDTHS |= {0xFF65 + place: ord(char) for place, char in enumerate(HALF_WIDTH[:-2])}
WIDTHS |= {0xFF9E: 0x3099, 0xFF9F: 0x309A}
PLAIN = "ワヲヰヱウカキクケコサシスセソタチツテトハヒフヘホヽ"
VOICED = dict(zip(PLAIN, "ヷヺヸヹヴガギグゲゴザジズゼゾダヂヅデドバビブベボヾ", strict=True))
SEMI_VOICED = dict(zip("ハヒフヘホ", "パピプペポ", strict=True))

EXTENDING = "EZVCMTYs"
"""Word-break classes of marks that belong to the character before."""


def width(term: str) -> str:
    """ASCII for its full-width forms, full-width Katakana (voiced marks joined) for half-width ones."""
    if term.isascii():
        return term
    out: list[str] = []
    for char in term:
        if char in "\uff9e\uff9f" and out:
            joined = (VOICED if char == "\uff9e" else SEMI_VOICED).get(out[-1])
            if joined is not None:
                out[-1] = joined
                continue
        out.append(chr(WIDTHS.get(ord(char), ord(char))))
    return "".join(out)


def bigrams(tokens: Tokens) -> Tokens:
    """Overlapping pairs of neighbouring Han, Kana and Hangul characters; one that stands alone stays.

    A run ends where offsets do not touch; other tokens pass as they are.
    """
    out: list[Token] = []
    run: list[Token] = []
    for token in tokens:
        ideographic = _is_ideographic(token.term)
        if run and not (ideographic and token.start == run[-1].end):
            out.extend(_pairs(run))
            run = []
        if ideographic:
            run.extend(_characters(token))
        else:
            out.append(token)
    out.extend(_pairs(run))
    return tokens.then(out)


def _is_ideographic(term: str) -> bool:
    """Whether the tokenizer took it for Han or Hiragana, or for nothing but Katakana or Hangul."""
    classes = [word_break_classes()[ord(char)] for char in term]
    if classes[:1] == ["K"] or classes[:1] == ["G"]:
        return all(letter == classes[0] or letter in EXTENDING for letter in classes)
    return classes[:1] == ["I"] or classes[:1] == ["J"]


def _characters(token: Token) -> list[Token]:
    """One token a character; if the term and its text differ in length, all keep the token's own offsets."""
    term = token.term
    if len(term) == token.end - token.start:
        return [
            token._replace(term=c, start=token.start + i, end=token.start + i + 1) for i, c in enumerate(term)
        ]
    return [token._replace(term=char) for char in term]


def _pairs(run: list[Token]) -> list[Token]:
    if len(run) == 1:
        return run
    return [Token(first.term + second.term, first.start, second.end) for first, second in pairwise(run)]
