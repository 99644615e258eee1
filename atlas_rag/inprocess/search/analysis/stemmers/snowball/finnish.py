"""Finnish (Snowball), after F. Karlsson, Finnish: An Essential Grammar, 1999."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import r1_r2, suffixes

VOWELS = frozenset("aeiouyäö")
VOWELS_BUT_Y = VOWELS - {"y"}
CONSONANTS = frozenset("bcdfghjklmnpqrstvwxz")
BEFORE_PARTICLE = VOWELS | {"n", "t"}
LONG = ("aa", "ee", "ii", "oo", "uu", "ää", "öö")
PARTICLE = suffixes("kin kaan kään ko kö han hän pa pä sti")
POSSESSIVE = suffixes("si ni nsa nsä mme nne an än en")
BEFORE_POSSESSIVE = {
    "an": ("ta", "ssa", "sta", "lla", "lta", "na"),
    "än": ("tä", "ssä", "stä", "llä", "ltä", "nä"),
    "en": ("lle", "ine"),
}
CASES = (
    "han hen hin hon hän hön siin seen den tten tta ttä ta tä ssa ssä sta stä lla llä lta ltä lle na nä ksi "
    "ine n a ä"
).split()
CASES.sort(key=len, reverse=True)
COMPARATIVE = suffixes("mpi mpa mpä mmi mma mmä impi impa impä immi imma immä eja ejä")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    regions = r1_r2(word, VOWELS)
    r1, r2 = regions["r1"], regions["r2"]
    word = _without_particle(word, r1, r2)
    word = _without_possessive(word, r1)
    shorter = _without_case(word, r1)
    word = _without_comparative(word if shorter is None else shorter, r2)
    if shorter is not None:
        word = word[:-1] if len(word) > r1 and word[-1] in "ij" else word
    else:
        word = _without_t(word, r1, r2)
    return _tidy(word, r1)


def _without_particle(word: str, r1: int, r2: int) -> str:
    match = PARTICLE.ending(word, r1)
    if match is None:
        return word
    rest = match.cut(word)
    fits = len(rest) >= r2 if match.suffix == "sti" else rest[-1:] in BEFORE_PARTICLE and rest
    return rest if fits else word


def _without_possessive(word: str, r1: int) -> str:
    match = POSSESSIVE.ending(word, r1)
    if match is None:
        return word
    rest = match.cut(word)
    if match.suffix == "si":
        return word if rest.endswith("k") else rest
    if match.suffix == "ni":
        return rest[:-1] + "i" if rest.endswith("kse") else rest
    needed = BEFORE_POSSESSIVE.get(match.suffix)
    return word if needed is not None and not rest.endswith(needed) else rest


def _without_case(word: str, r1: int) -> str | None:
    """Without the longest case ending that fits its context, if the endings that need one allow it."""
    inside = word[r1:]
    for case in CASES:
        if not inside.endswith(case):
            continue
        rest = word[: -len(case)]
        if case in ("siin", "den", "tten", "seen"):
            # a shorter ending is tried where these do not fit
            if rest.endswith(LONG) if case == "seen" else _ends_vowel_i(rest):
                return rest
            continue
        return (
            rest[:-1] if case == "n" and rest.endswith((*LONG, "ie")) else rest if _fits(case, rest) else None
        )
    return None


def _ends_vowel_i(word: str) -> bool:
    return word.endswith("i") and word[-2:-1] in VOWELS_BUT_Y and len(word) > 1


def _fits(case: str, rest: str) -> bool:
    if len(case) == 3 and case[0] == "h" and case[2] == "n":
        return rest.endswith(case[1])
    if case in ("a", "ä"):
        return len(rest) > 1 and rest[-1] in VOWELS and rest[-2] in CONSONANTS
    return rest.endswith("e") if case in ("tta", "ttä") else True


def _without_comparative(word: str, r2: int) -> str:
    match = COMPARATIVE.ending(word, r2)
    if match is None:
        return word
    rest = match.cut(word)
    return word if len(match.suffix) == 3 and match.suffix[0] == "m" and rest.endswith("po") else rest


def _without_t(word: str, r1: int, r2: int) -> str:
    """Without a plural t, and the comparative before it."""
    if not (word.endswith("t") and len(word) - 2 >= r1 and word[-2] in VOWELS):
        return word
    word = word[:-1]
    inside = word[r2:]
    if inside.endswith("imma"):
        return word[:-4]
    return word[:-3] if inside.endswith("mma") and not word.endswith("pomma") else word


def _tidy(word: str, r1: int) -> str:
    if word[r1:].endswith(LONG):
        word = word[:-1]
    if len(word) - 2 >= r1 and word[-1] in "aäei" and word[-2] in CONSONANTS:
        word = word[:-1]
    if word[r1:].endswith(("oj", "uj")):
        word = word[:-1]
    if word[r1:].endswith("jo"):
        word = word[:-1]
    return _undoubled(word)


def _undoubled(word: str) -> str:
    """The last consonant, whatever vowels follow it, is not double."""
    last = next((i for i in range(len(word) - 1, -1, -1) if word[i] not in VOWELS), -1)
    if last > 0 and word[last] in CONSONANTS and word[last] == word[last - 1]:
        return word[:last] + word[last + 1 :]
    return word
