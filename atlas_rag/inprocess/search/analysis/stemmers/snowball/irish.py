"""Irish (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import past, r1_r2, tables

VOWELS = frozenset("aeiouáéíóú")


def stem(word: str) -> str:
    """The stem of a word in Irish lower case, without its initial mutation."""
    table = tables("irish")
    match = table["beginning"].beginning(word)
    if match is not None:
        word = match.action.strip("-") + word[len(match.suffix) :]
    rv = past(word, 0, VOWELS)
    regions = {**r1_r2(word, VOWELS), "rv": len(word) if rv is None else rv}
    for name in ("noun", "derivation", "verb"):
        word = table[name].strip(word, regions)
    return word
