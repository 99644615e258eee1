"""The word-delimiter graph: words split into parts, parts joined again, all in one token graph.

Source: the documented behaviour of Lucene's WordDelimiterGraphFilter, without adjusted offsets.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from atlas_rag.inprocess.search.analysis.token import Token, Tokens

LOWER, UPPER, DIGIT, DELIMITER = 1, 2, 4, 8
ALPHA = LOWER | UPPER
CATEGORIES = {
    "Lu": UPPER, "Ll": LOWER, "Lt": ALPHA, "Lm": ALPHA, "Lo": ALPHA, "Mn": ALPHA, "Me": ALPHA, "Mc": ALPHA,
    "Nd": DIGIT, "Nl": DIGIT, "No": DIGIT,
}  # fmt: skip


@dataclass(frozen=True)
class Options:
    """The filter's options, under their own names in snake case."""

    generate_word_parts: bool = True
    generate_number_parts: bool = True
    concatenate_words: bool = False
    concatenate_numbers: bool = False
    concatenate_all: bool = False
    preserve_original: bool = False
    split_on_case_change: bool = True
    split_on_numerics: bool = True
    stem_english_possessive: bool = True
    ignore_keywords: bool = False


@dataclass
class _Part:
    """A term to emit: its positions in the graph of the word and its place in the word."""

    term: str
    first: int
    last: int
    start: int
    end: int


@dataclass
class _Run:
    """Parts being joined."""

    kind: int = 0
    pieces: list[str] = field(default_factory=list)
    count: int = 0
    first: int = 0
    start: int = 0
    end: int = 0

    def add(self, word: str, start: int, end: int, kind: int, position: int) -> None:
        if not self.pieces:
            self.kind, self.start, self.first = kind, start, position
        self.pieces.append(word[start:end])
        self.count += 1
        self.end = end

    @property
    def term(self) -> str:
        return "".join(self.pieces)


def _kind(char: str) -> int:
    if char < "\u0100":
        # only letters with case and decimal digits count below U+0100
        lower, upper, digit = char.islower() and char.isalpha(), char.isupper(), char.isdecimal()
        return LOWER if lower else UPPER if upper else DIGIT if digit else DELIMITER
    if char > "\uffff":
        return ALPHA | DIGIT  # the engine sees two surrogates, which it never splits
    return CATEGORIES.get(unicodedata.category(char), DELIMITER)


class WordDelimiter:
    """The filter.

    Args:
        protected: terms that are left alone.
    """

    def __init__(self, options: Options, protected: Callable[[str], bool]) -> None:
        self._options = options
        self._protected = protected

    def __call__(self, tokens: Tokens) -> Tokens:
        out: list[Token] = []
        gap = 0
        for token in tokens:
            if self._options.ignore_keywords and token.keyword:
                out.append(token)
                continue
            gap += token.increment
            word = token.term
            spans = list(self._spans(word))
            if self._protected(word) or spans[:1] == [(0, len(word))]:
                out.append(token._replace(increment=gap))
                gap = 0
            elif not spans:
                if self._options.preserve_original:
                    out.append(token)
                    gap = 0
            else:
                position = 0
                for part in self._parts(word, spans):
                    increment = gap + part.first - position
                    out.append(
                        token._replace(term=part.term, increment=increment, length=part.last - part.first)
                    )
                    gap, position = 0, part.first
        return tokens.then(out, tokens.holes + gap)

    def _spans(self, word: str) -> Iterator[tuple[int, int]]:
        """The parts between delimiters and changes of kind; a possessive s is skipped."""
        kinds = [_kind(char) for char in word]
        bound = len(word)
        while bound and kinds[bound - 1] == DELIMITER:
            bound -= 1
        place = 0
        while True:
            while place < bound and kinds[place] == DELIMITER:
                place += 1
            if place >= bound:
                return
            end = place + 1
            while end < bound and not self._breaks(kinds[end - 1], kinds[end]):
                end += 1
            yield place, end
            place = end + 2 if end < bound - 1 and self._possessive(word, kinds, end + 2, bound) else end

    def _breaks(self, before: int, after: int) -> bool:
        if before & after:
            return False
        both = before & ALPHA and after & ALPHA
        if both and (not self._options.split_on_case_change or before & UPPER):
            return False
        mixed = (before & ALPHA and after & DIGIT) or (before & DIGIT and after & ALPHA)
        return not (mixed and not self._options.split_on_numerics)

    def _possessive(self, word: str, kinds: list[int], place: int, bound: int) -> bool:
        """Whether 's stands before `place`, behind a letter and before a delimiter or the end."""
        return (
            self._options.stem_english_possessive
            and place > 2
            and word[place - 2] == "'"
            and word[place - 1] in "sS"
            and bool(kinds[place - 3] & ALPHA)
            and (place == bound or kinds[place] == DELIMITER)
        )

    def _parts(self, word: str, spans: list[tuple[int, int]]) -> list[_Part]:
        parts, positions = self._subwords(word, spans)
        parts.sort(key=lambda part: (part.start, -part.end))
        if self._options.preserve_original:
            parts.insert(0, _Part(word, 0, max(positions, 1), 0, len(word)))
        return parts

    def _subwords(self, word: str, spans: list[tuple[int, int]]) -> tuple[list[_Part], int]:
        """All parts and joined runs, and how many positions they take."""
        if len(spans) == 1 and self._is_whole(word, spans[0]):
            start, end = spans[0]
            return [_Part(word[start:end], 0, 1, start, end)], 1
        options = self._options
        parts: list[_Part] = []
        run, everything = _Run(), _Run()
        position = joined = 0
        for start, end in spans:
            kind = _kind(word[start])
            kind = ALPHA if kind in (LOWER, UPPER) else kind
            if run.pieces and not run.kind & kind:
                position, joined = self._flush(run, parts, position), run.count
                run = _Run()
            if (options.concatenate_words and kind & ALPHA) or (options.concatenate_numbers and kind & DIGIT):
                run.add(word, start, end, kind, position)
            if options.concatenate_all:
                everything.add(word, start, end, kind, position)
            if self._generates(kind):
                parts.append(_Part(word[start:end], position, position + 1, start, end))
                position += 1
        if run.pieces:
            position, joined = self._flush(run, parts, position), run.count
        if everything.count > joined:
            position += position == everything.first
            parts.append(_Part(everything.term, everything.first, position, everything.start, everything.end))
        return parts, position

    def _is_whole(self, word: str, span: tuple[int, int]) -> bool:
        """Whether there is one part, but for delimiters around it and a possessive behind it."""
        kinds = [_kind(char) for char in word]
        first = next(place for place, kind in enumerate(kinds) if kind != DELIMITER)
        bound = max(place for place, kind in enumerate(kinds) if kind != DELIMITER) + 1
        end = bound - 2 if self._possessive(word, kinds, bound, bound) else bound
        return span == (first, end)

    def _generates(self, kind: int) -> bool:
        options = self._options
        return bool(
            (options.generate_word_parts and kind & ALPHA) or (options.generate_number_parts and kind & DIGIT)
        )

    def _flush(self, run: _Run, parts: list[_Part], position: int) -> int:
        """Emits a joined run unless its only part was emitted already; the position after it."""
        position += position == run.first
        if run.count != 1 or not self._generates(run.kind):
            parts.append(_Part(run.term, run.first, position, run.start, run.end))
        return position
