"""Spanish (Snowball)."""

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

VOWELS = frozenset("aeiouáéíóúü")
ACCENTS = str.maketrans("áéíóú", "aeiou")
BEFORE_PRONOUN = suffixes("iéndo ándo ár ér ír ando iendo ar er ir yendo")
AFTER_AMENTE = suffixes("iv os ic ad")
Y_VERB = suffixes("ya ye yan yen yeron yendo yo yó yas yes yais yamos")
AFTER = {
    "ación": suffixes("ic"),
    "mente": suffixes("ante able ible"),
    "idad": suffixes("abil ic iv"),
    "ivo": AT,
}
RESIDUAL = suffixes("os a o á í ó e é")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = romance_regions(word, VOWELS)
    word = _without_pronoun(word, regions["rv"])
    word = _standard(word, regions) or _y_verb(word, regions["rv"]) or _verb(word, regions["rv"]) or word
    return _residual(word, regions["rv"]).translate(ACCENTS)


def _without_pronoun(word: str, rv: int) -> str:
    match = tables("spanish")["pronoun"].ending(word)
    rest = word if match is None else match.cut(word)
    verb = BEFORE_PRONOUN.ending(rest)
    if match is None or verb is None or verb.start(rest) < rv:
        return word
    if verb.suffix == "yendo":
        return rest if rest[-6:-5] == "u" else word
    return verb.cut(rest, verb.suffix.translate(ACCENTS))


def _standard(word: str, regions: Regions) -> str | None:
    match = tables("spanish")["standard"].ending(word)
    if match is None or match.start(word) < regions[match.region]:
        return None
    rest = match.cut(word)
    r2 = regions["r2"]
    if match.action == "amente":
        return without_amente(rest, AFTER_AMENTE, r2)
    if match.action in AFTER:
        return without_optional(rest, AFTER[match.action], r2)
    return rest + match.action.strip("-")


def _y_verb(word: str, rv: int) -> str | None:
    match = Y_VERB.ending(word, rv)
    return match.cut(word) if match is not None and match.cut(word).endswith("u") else None


def _verb(word: str, rv: int) -> str | None:
    match = tables("spanish")["verb"].ending(word, rv)
    if match is None:
        return None
    rest = match.cut(word)
    return rest[:-1] if match.action == "en" and rest.endswith("gu") else rest


def _residual(word: str, rv: int) -> str:
    match = RESIDUAL.ending(word)
    if match is None or match.start(word) < rv:
        return word
    rest = match.cut(word)
    if match.suffix in ("e", "é") and rest.endswith("gu") and len(rest) - 1 >= rv:
        return rest[:-1]
    return rest
