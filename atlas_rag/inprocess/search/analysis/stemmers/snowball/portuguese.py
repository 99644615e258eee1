"""Portuguese (Snowball)."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import (
    AT,
    Regions,
    romance_regions,
    suffixes,
    tables,
    without_amente,
    without_optional,
)

VOWELS = frozenset("aeiouáéíóúâêô")
AFTER = {
    "mente": suffixes("ante avel ível"),
    "idade": suffixes("abil ic iv"),
    "ivo": AT,
    "amente": suffixes("iv os ic ad"),
}
RESIDUAL = suffixes("os a i o á í ó")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = word.replace("ã", "a~").replace("õ", "o~")
    regions = romance_regions(word, VOWELS)
    rv = regions["rv"]
    shorter = _standard(word, regions) or tables("portuguese")["verb"].apply(word, {}, rv)
    if shorter is None and len(word) >= rv:
        word = _residual(word, rv)
    elif shorter is not None:
        word = shorter[:-1] if shorter.endswith("ci") and len(shorter) - 1 >= rv else shorter
    return _form(word, rv).replace("a~", "ã").replace("o~", "õ")


def _standard(word: str, regions: Regions) -> str | None:
    match = tables("portuguese")["standard"].ending(word)
    if match is None or match.start(word) < regions[match.region]:
        return None
    rest = match.cut(word)
    if match.action == "ira":
        return rest + "ir" if rest.endswith("e") else None
    if match.action not in AFTER:
        return rest + match.action.strip("-")
    if match.action == "amente":
        return without_amente(rest, AFTER["amente"], regions["r2"])
    return without_optional(rest, AFTER[match.action], regions["r2"])


def _residual(word: str, rv: int) -> str:
    match = RESIDUAL.ending(word)
    return word if match is None or match.start(word) < rv else match.cut(word)


def _form(word: str, rv: int) -> str:
    if word.endswith("ç"):
        return word[:-1] + "c"
    if not word.endswith(("e", "é", "ê")) or len(word) - 1 < rv:
        return word
    rest = word[:-1]
    return rest[:-1] if rest.endswith(("gu", "ci")) and len(rest) - 1 >= rv else rest
