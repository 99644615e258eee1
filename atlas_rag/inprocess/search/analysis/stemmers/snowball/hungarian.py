"""Hungarian (Snowball): noun inflections."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import past, tables

VOWELS = frozenset("aeiouáéíóöőúüű")
DIGRAPHS = ("dzs", "cs", "gy", "ly", "ny", "sz", "ty", "zs")
DOUBLES = tuple("bb cc ccs dd ff gg ggy jj kk ll lly mm nn nny pp rr ss ssz tt tty vv zz zzs".split())


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = {"r1": _r1(word)}
    table = tables("hungarian")
    word = _undoubled(word, ("al", "el"), regions["r1"])
    cased = table["case"].apply(word, regions)
    if cased is not None:
        word = _short_vowel(cased, regions["r1"])
    word = table["special_case"].strip(word, regions)
    word = table["other_case"].strip(word, regions)
    word = _undoubled(word, ("á", "é"), regions["r1"])
    for name in ("owned", "one_owner", "owners", "plural"):
        word = table[name].strip(word, regions)
    return word


def _r1(word: str) -> int:
    """Behind the first consonant (digraphs count as one) of a word in a vowel, else the first vowel."""
    if word[:1] in VOWELS:
        place = past(word, 0, VOWELS, inside=False)
        if place is None:
            return len(word)
        digraph = next((d for d in DIGRAPHS if word.startswith(d, place - 1)), None)
        return place if digraph is None else place - 1 + len(digraph)
    place = past(word, 0, VOWELS)
    return len(word) if place is None else place


def _short_vowel(word: str, r1: int) -> str:
    if len(word) - 1 >= r1 and word.endswith(("á", "é")):
        return word[:-1] + ("a" if word.endswith("á") else "e")
    return word


def _undoubled(word: str, endings: tuple[str, ...], r1: int) -> str:
    """Without the ending and one half of the double consonant before it."""
    ending = next((e for e in endings if word.endswith(e)), None)
    if ending is None or len(word) - len(ending) < r1:
        return word
    rest = word[: -len(ending)]
    return rest[:-2] + rest[-1] if rest.endswith(DOUBLES) else word
