"""Brazilian Portuguese stemming.

Source: the BrazilianStemmer that the engine documents, a Snowball-like algorithm over R1, R2 and RV of the
word without accents; its oversights (`logias` and `ira` end a step without a change) are kept.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import fold

VOWELS = frozenset("aeiou")
ACCENTS = fold("áâã éê í óôõ úü ç ñ", "aeioucn")
EDGE = "\"'-,;.?!"
STANDARD = (  # suffix, region it must lie in, what stays
    ("uciones", "r2", "u"),
    *((s, "r2", "") for s in "imentos amentos adores adoras".split()),
    ("logias", "r2", "logias"),
    ("encias", "r2", "ente"),
    ("amente", "r1", ""),
    *((s, "r2", "") for s in "idades acoes imento amento adora ismos istas".split()),
    ("logia", "r2", "log"),
    ("ucion", "r2", "u"),
    ("encia", "r2", "ente"),
    *((s, "r2", "") for s in "mente idade acao ezas icos icas ismo avel ivel ista".split()),
    *((s, "r2", "") for s in "osos osas ador ivas ivos".split()),
    ("eiras", "rv", "eir"),
    *((s, "r2", "") for s in "eza ico ica oso osa iva ivo".split()),
    ("eira", "rv", "eir"),
)  # fmt: skip
VERBAL = """
issemos essemos assemos ariamos eriamos iriamos
iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis arieis erieis irieis
irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ariam
eriam iriam arias erias irias estes istes aveis
aria eria iria asse esse isse aste este iste arei erei irei aram eram iram avam arem erem irem ando endo indo
arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ieis
ada ida ara era ira iam ado ido ias ais eis ear
ia ei am em ar er ir as es is eu iu ou
""".split()


def stem(term: str) -> str:
    """The stem of a lower-case word of 3 to 29 letters; other terms stay as they are."""
    word = term.translate(ACCENTS)
    if len(word) > 1 and word[0] in EDGE:
        word = word[1:]
    if len(word) > 1 and word[-1] in EDGE:
        word = word[:-1]
    if not 2 < len(word) < 30:
        return term
    return _stem(word) if word.isalpha() else word


def _stem(word: str) -> str:
    r1 = _after_vowel_and_consonant(word)
    regions = {"r1": r1, "r2": _after_vowel_and_consonant(r1), "rv": _rv(word)}
    rv = regions["rv"]
    stripped = _standard(word, regions)
    if stripped is None:
        stripped = _verbal(word, rv)
    if stripped is not None:
        word = stripped.removesuffix("i") if rv.endswith("ci") else stripped
    else:
        ending = next((e for e in ("os", "a", "i", "o") if rv.endswith(e)), "")
        word = word.removesuffix(ending)
    return _without_e(word, rv)


def _standard(word: str, regions: dict[str, str]) -> str | None:
    for suffix, region, stays in STANDARD:
        if not word.endswith(suffix):
            continue
        # what a verb ending needs to have in RV starts behind its e
        inside = suffix[1:] if region == "rv" else suffix
        if regions[region].endswith(inside):
            return word[: -len(suffix)] + stays
    return None


def _verbal(word: str, rv: str) -> str | None:
    suffix = next((s for s in VERBAL if rv.endswith(s)), None)
    if suffix is None:
        return None
    return word.removesuffix(suffix) if suffix != "ira" else word


def _without_e(word: str, rv: str) -> str:
    if not rv.endswith("e"):
        return word
    word = word.removesuffix("e")
    if rv.endswith("gue"):
        return word.removesuffix("u")
    return word.removesuffix("i") if rv.endswith("cie") else word


def _find(word: str, start: int, vowel: bool) -> int:
    """The first place before the last letter that holds a vowel (or a consonant), or -1."""
    return next((i for i in range(start, len(word) - 1) if (word[i] in VOWELS) == vowel), -1)


def _after_vowel_and_consonant(word: str) -> str:
    vowel = _find(word, 0, True)
    consonant = _find(word, vowel, False) if vowel >= 0 else -1
    return word[consonant + 1 :] if consonant >= 0 else ""


def _rv(word: str) -> str:
    if word[1] not in VOWELS and (place := _find(word, 2, True)) >= 0:
        return word[place + 1 :]
    if word[0] in VOWELS and word[1] in VOWELS and (place := _find(word, 2, False)) >= 0:
        return word[place + 1 :]
    return word[3:]
