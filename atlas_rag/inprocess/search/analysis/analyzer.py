"""An analyzer: char filters, one tokenizer, token filters; and its fast path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis.offsets import CharFilter, utf16_offsets
from atlas_rag.inprocess.search.analysis.token import Filter, TermFilter, Token, Tokens
from atlas_rag.inprocess.search.analysis.tokenizers import PieceTokenizer, Tokenizer

MEMORY_LIMIT = 1 << 18
"""Pieces of text that one analyzer remembers at most; the memory is emptied when it is full."""

LONGEST_REMEMBERED = 64
"""Characters of a piece worth remembering; longer ones hardly come again."""


class Analyzer:
    """Turns text into terms. Made by the registry; holds no state but a memory of words seen.

    Args:
        name: what an index definition calls it.
        normalizing: the filters that `normalize` runs. Default: all.
        normalizing_text: the char filters that `normalize` runs. Default: all.
    """

    def __init__(
        self,
        name: str,
        tokenizer: Tokenizer,
        filters: Sequence[Filter] = (),
        char_filters: Sequence[CharFilter] = (),
        *,
        normalizing: Sequence[Filter] | None = None,
        normalizing_text: Sequence[CharFilter] | None = None,
    ) -> None:
        self.name = name
        self._tokenizer = tokenizer
        self._filters = tuple(filters)
        self._char_filters = tuple(char_filters)
        self._normalizing = self._filters if normalizing is None else tuple(normalizing)
        self._normalizing_text = self._char_filters if normalizing_text is None else tuple(normalizing_text)
        self._pieces = self._piece_tokenizer()
        self._memory = _PieceMemory(self._tokenizer, self._filters)

    def tokens(self, text: str) -> Tokens:
        """All tokens in order, offsets in UTF-16 units of `text` as it was before any char filter."""
        tokens = self._tokens(text)
        if text.isascii():
            return tokens
        units = utf16_offsets(text)
        moved = [token._replace(start=units[token.start], end=units[token.end]) for token in tokens]
        return Tokens(moved, tokens.holes, units[tokens.end])

    def terms(self, text: str) -> tuple[list[str], list[int]]:
        """Terms and their positions; the first token stands at position 0 unless a hole comes before it."""
        if self._pieces is None:
            return self.placed(text)[:2]
        terms = self.slots(text)
        if None not in terms:
            return terms, list(range(len(terms)))  # type: ignore[return-value]
        positions = [place for place, term in enumerate(terms) if term is not None]
        return [term for term in terms if term is not None], positions

    def steps(self, text: str) -> list[tuple[str, int, int]]:
        """Terms as a query reads them: each with its increment, and with its length, which makes a graph."""
        if self._pieces is None:
            return [(token.term, token.increment, token.length) for token in self._tokens(text)]
        terms, positions = self.terms(text)
        return [
            (term, position - before, 1)
            for term, position, before in zip(terms, positions, [-1, *positions], strict=False)
        ]

    def slots(self, text: str) -> list[str | None]:
        """Terms in a row, None for every position that a dropped token leaves behind."""
        if self._pieces is not None:
            return list(chain.from_iterable(map(self._memory.__getitem__, self._pieces.pieces(text))))
        tokens, row = self._tokens(text), list[str | None]()
        for token in tokens:
            row += [None] * (token.increment - 1)
            row.append(token.term)
        return row + [None] * tokens.holes

    def pieces(self, text: str) -> list[str] | None:
        """`text` cut into pieces to be analysed by themselves, None where the chain must see it whole.

        The terms of the pieces (`piece_terms`), one after the other, are the terms of the text.
        """
        return None if self._pieces is None else self._pieces.pieces(text)

    def piece_terms(self, piece: str) -> tuple[str | None, ...]:
        """The terms of one piece, None for each position whose token was dropped."""
        return self._memory[piece]

    def normalize(self, text: str) -> str:
        """`text` as one term, without tokenizing: what wildcard and fuzzy queries compare with.

        Raises:
            EngineRefusal: a filter drops the term or splits it.
        """
        for char_filter in self._normalizing_text:
            text, _ = char_filter(text)
        tokens = Tokens([Token(text, 0, len(text))], end=len(text))
        for change in self._normalizing:
            tokens = change(tokens)
        if len(tokens) != 1:
            count = "0" if not tokens else "2+"
            raise EngineRefusal(
                "The normalization token stream is expected to produce exactly 1 token, but got "
                f'{count} for analyzer {self.name} and input "{text}"'
            )
        return tokens[0].term

    def _tokens(self, text: str) -> Tokens:
        """The tokens with offsets in code points of the original text."""
        end = len(text)
        origins = []
        for char_filter in self._char_filters:
            text, origin = char_filter(text)
            origins.append(origin)
        tokenized = self._tokenizer.tokenize(text)
        for origin in reversed(origins):
            if origin is not None:
                tokenized = [t._replace(start=origin(t.start), end=origin(t.end)) for t in tokenized]
        tokens = Tokens(tokenized, end=end)
        for change in self._filters:
            tokens = change(tokens)
        return tokens

    def placed(self, text: str) -> tuple[list[str], list[int], int]:
        """Terms, their positions, and the positions of the whole text, words dropped at its end included."""
        terms, positions, place = [], [], -1
        tokens = self._tokens(text)
        for token in tokens:
            place += token.increment
            terms.append(token.term)
            positions.append(place)
        return terms, positions, place + 1 + tokens.holes

    def _piece_tokenizer(self) -> PieceTokenizer | None:
        """The tokenizer, if a text may be cut at separators and each piece be analysed by itself."""
        if self._char_filters or not isinstance(self._tokenizer, PieceTokenizer):
            return None
        return self._tokenizer if all(isinstance(f, TermFilter) for f in self._filters) else None


class _PieceMemory(dict[str, tuple[str | None, ...]]):
    """Maps a piece of text to its terms, None for each dropped token; computed once."""

    def __init__(self, tokenizer: Tokenizer, filters: Sequence[Filter]) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._terms = _TermMemory([f.change for f in filters if isinstance(f, TermFilter)])

    def __missing__(self, piece: str) -> tuple[str | None, ...]:
        terms = tuple([self._terms[token.term] for token in self._tokenizer.tokenize(piece)])
        if len(piece) <= LONGEST_REMEMBERED:
            if len(self) >= MEMORY_LIMIT:
                self.clear()
            self[piece] = terms
        return terms


class _TermMemory(dict[str, str | None]):
    """Maps a token's text to its term, None if it is dropped; the same word comes in many pieces."""

    def __init__(self, changes: Sequence[Callable[[str], str | None]]) -> None:
        super().__init__()
        self._changes = changes

    def __missing__(self, text: str) -> str | None:
        term: str | None = text
        for change in self._changes:
            if term is None:
                break
            term = change(term)
        if len(self) >= MEMORY_LIMIT:
            self.clear()
        self[text] = term
        return term
