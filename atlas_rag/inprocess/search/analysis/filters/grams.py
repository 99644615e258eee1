"""N-grams of terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from atlas_rag.inprocess.search.analysis.token import StreamFilter, Token, Tokens

Cut = Callable[[str], Iterator[str]]


def edge_grams(least: int, most: int) -> Cut:
    """The prefixes of `least` to `most` characters."""

    def cut(term: str) -> Iterator[str]:
        return (term[:size] for size in range(least, min(most, len(term)) + 1))

    return cut


def grams(least: int, most: int) -> Cut:
    """All substrings of `least` to `most` characters, by place, then by size."""

    def cut(term: str) -> Iterator[str]:
        return (
            term[start : start + size]
            for start in range(len(term))
            for size in range(least, min(most, len(term) - start) + 1)
        )

    return cut


def gram_filter(cut: Cut, least: int, most: int, *, keep_others: bool) -> StreamFilter:
    """Puts the grams of each term on its position, with its offsets.

    Args:
        keep_others: a term that is shorter than the least gram or longer than the most is kept too.
    """

    def apply(tokens: Tokens) -> Tokens:
        out: list[Token] = []
        increment = 0
        for token in tokens:
            increment += token.increment
            terms = list(cut(token.term))
            if keep_others and not least <= len(token.term) <= most:
                terms.append(token.term)
            for term in terms:
                out.append(token._replace(term=term, increment=increment))
                increment = 0
        return tokens.then(out, tokens.holes + increment)

    return apply


def shingles(least: int, most: int) -> StreamFilter:
    """Runs of `least` to `most` terms, joined by a space; `_` stands for a hole.

    Source: the documented behaviour of Lucene's ShingleFilter without unigrams.
    """

    def apply(tokens: Tokens) -> Tokens:
        slots = with_fillers(tokens, most - 1)
        out: list[Token] = []
        for place in range(len(slots)):
            increment = 1
            for size in range(least, min(most, len(slots) - place) + 1):
                run = slots[place : place + size]
                if all(filler for _, filler in run):
                    continue
                first, last = run[0][0], run[-1][0]
                term = " ".join(token.term for token, _ in run)
                length = max(1, size - least + 1)
                out.append(Token(term, first.start, last.end, increment, length, first.keyword))
                increment = 0
        return tokens.then(out, 0)

    return apply


FILLER = "_"


def with_fillers(tokens: Tokens, most: int) -> list[tuple[Token, bool]]:
    """The tokens in a row, with up to `most` fillers for the holes before and behind them."""
    slots: list[tuple[Token, bool]] = []
    for token in tokens:
        filler = Token(FILLER, token.start, token.start)
        slots += [(filler, True)] * min(token.increment - 1, most)
        slots.append((token, False))
    slots += [(Token(FILLER, tokens.end, tokens.end), True)] * min(tokens.holes, most)
    return slots
