"""French light stemming.

Source: J. Savoy, Light stemming approaches for the French, Portuguese, German and Hungarian languages, 2006.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import Rule, first, fold, rules

LONG = rules("""
9 7+r issement
8 5+r issant
""")
AFTER_ADVERB = rules("""
11 7+er ficatrice
10 6+er ficateur
9 7+quer catrice
8 6+quer cateur
8 6+er atrice
7 5+er ateur
""")
FEMININE = rules("""
5 4 ième
7 5+ter teuse
6 4+ter teur
5 2 euse
8 3+er ère
7 3+if ive
4 3+u folle molle
9 5 nnelle
9 3 nnel
""")
NOMINAL = rules("""
8 3 esse
7 3 inage
""")
FINAL = rules("""
9 7 isateur
8 5 ation ition
""")
ACCENTS = fold("àáâ ô èéê ùû î ç", "aoeuic")


def stem(word: str) -> str:
    """The stem of a lower-case word without its elided article."""
    return _normalized(_stripped(_singular(word)))


def _singular(word: str) -> str:
    if len(word) > 5 and word.endswith("x"):
        stays = not word.endswith("aux") or word[-4] == "e"
        word = word[:-1] if stays else word[:-2] + "l"
    if len(word) > 3 and word.endswith("x"):
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _stripped(word: str) -> str:
    if rule := first(word, LONG):
        return _applied(word, rule)
    if len(word) > 6 and word.endswith("ement"):
        word = word[:-4]
        return word[:-2] + "f" if len(word) > 3 and word.endswith("ive") else word
    if rule := first(word, AFTER_ADVERB):
        return _applied(word, rule)
    if len(word) > 6 and word.endswith("trice"):
        word = word[:-4] + "eur"
    if rule := first(word, FEMININE):
        return _applied(word, rule)
    if len(word) > 4 and word.endswith("ète"):
        word = word[:-3] + "et"
    if len(word) > 8 and word.endswith("ique"):
        word = word[:-4]
    if rule := first(word, NOMINAL):
        return _applied(word, rule)
    if len(word) > 9 and word.endswith("isation"):
        word = word[:-7]
        return word[:-2] + "el" if len(word) > 5 and word.endswith("ual") else word
    rule = first(word, FINAL)
    return word if rule is None else _applied(word, rule)


def _applied(word: str, rule: Rule) -> str:
    return word[: len(word) - rule.cut] + rule.add


def _normalized(word: str) -> str:
    """Without accents, double letters and the commonest endings."""
    if len(word) > 4:
        word = _without_doubles(word.translate(ACCENTS))
    if len(word) > 4 and word.endswith("ie"):
        word = word[:-2]
    if len(word) > 4:
        for ending in "ree":
            word = word.removesuffix(ending)
        if word[-1:] == word[-2:-1] and word[-1:].isalpha():
            word = word[:-1]
    return word


def _without_doubles(word: str) -> str:
    kept = word[:1]
    for char in word[1:]:
        if char != kept[-1] or not char.isalpha():
            kept += char
    return kept
