"""A token, a stream of them, and the two kinds of filter that a chain is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Token(NamedTuple):
    """One term with its place in the text.

    Args:
        term: the text to index.
        start: offset of the first character, in UTF-16 units of the original text.
        end: offset behind the last character.
        increment: positions since the token before; 0 puts it on the same one.
        length: positions it spans, >= 1.
        keyword: stemmers leave it alone.
    """

    term: str
    start: int
    end: int
    increment: int = 1
    length: int = 1
    keyword: bool = False


class Tokens(list[Token]):
    """A finished stream.

    Args:
        holes: positions of dropped tokens behind the last one.
        end: offset of the end of the text.
    """

    def __init__(self, tokens: Iterable[Token] = (), holes: int = 0, end: int = 0) -> None:
        super().__init__(tokens)
        self.holes = holes
        self.end = end

    def then(self, tokens: Iterable[Token], holes: int | None = None) -> Tokens:
        """Other tokens in the same text."""
        return Tokens(tokens, self.holes if holes is None else holes, self.end)


@dataclass(frozen=True, slots=True)
class TermFilter:
    """Changes or drops (None) one term, without looking at its neighbours.

    A dropped token leaves a hole: the increment of the next one grows.
    """

    change: Callable[[str], str | None]
    stems: bool = False

    def __call__(self, tokens: Tokens) -> Tokens:
        kept: list[Token] = []
        hole = 0
        for token in tokens:
            term = token.term if self.stems and token.keyword else self.change(token.term)
            if term is None:
                hole += token.increment
                continue
            if term is not token.term or hole:
                token = token._replace(term=term, increment=token.increment + hole)
                hole = 0
            kept.append(token)
        return tokens.then(kept, tokens.holes + hole)


StreamFilter = Callable[[Tokens], Tokens]
"""A filter that sees the whole stream: n-grams, shingles, graphs."""

Filter = TermFilter | StreamFilter
