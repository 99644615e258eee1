"""A token, and the two kinds of filter that a chain is made of."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True, slots=True)
class TermFilter:
    """Changes or drops (None) one term, without looking at its neighbours.

    A dropped token leaves a hole: the increment of the next one grows.
    """

    change: Callable[[str], str | None]
    stems: bool = False

    def __call__(self, tokens: list[Token]) -> list[Token]:
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
        return kept


StreamFilter = Callable[[list[Token]], list[Token]]
"""A filter that sees the whole stream: n-grams, shingles, graphs."""

Filter = TermFilter | StreamFilter
