"""Filters that add or drop tokens on a position, or cut the stream."""

from __future__ import annotations

from collections.abc import Callable

from atlas_rag.inprocess.search.analysis.token import StreamFilter, Token, Tokens


def keyword_repeat(tokens: Tokens) -> Tokens:
    """Each token twice: once as a keyword, which stemmers leave alone."""
    out: list[Token] = []
    for token in tokens:
        out += [token._replace(keyword=True), token._replace(increment=0, keyword=False)]
    return tokens.then(out)


def remove_duplicates(tokens: Tokens) -> Tokens:
    """Drops a term that its position already has."""
    out: list[Token] = []
    seen: set[str] = set()
    for token in tokens:
        if token.increment:
            seen = set()
        if token.term not in seen:
            out.append(token)
        seen.add(token.term)
    return tokens.then(out)


def limit_count(most: int) -> StreamFilter:
    """The first `most` tokens."""
    return lambda tokens: tokens.then(tokens[:most], 0 if len(tokens) > most else None)


def with_original(change: Callable[[str], str]) -> StreamFilter:
    """The changed term, and behind it on the same position the original where they differ."""

    def apply(tokens: Tokens) -> Tokens:
        out: list[Token] = []
        for token in tokens:
            changed = change(token.term)
            out.append(token._replace(term=changed))
            if changed != token.term:
                out.append(token._replace(increment=0))
        return tokens.then(out)

    return apply
