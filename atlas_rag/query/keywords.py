"""Which words of a question a keyword search is for, and which were left out, with the reason.

Keeps what exact matching is good at: numbers, `C++`, `ISO-27001`, `snake_case`, "quoted phrases" and
two-letter acronyms in capitals. A question of nothing but stop words has no keywords.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from atlas_rag.errors import CallError

TOKEN = re.compile(r'"([^"]+)"|“([^”]+)”|([\w][\w.#+&/_\'’-]*[\w#+]|\w[#+]*)')
DEFAULT_CAP = 8
SHORTEST_WORD = 3

ENGLISH = """
a about all also am an and any are as at be been but by can could did do does for from had has have he her
his how i if in into is it it's its just me my no not of on or our out please she so some such tell than that
the their them then there these they this those to us was we were what when where which who why will with
would you your
"""
FRENCH = """
au aux avec ce ces comment dans de des du elle en est et il ils je la le les leur lui ma mais me mes moi mon
ne nous on ou où par pas pour quand que quel quelle qui quoi sa se ses son sont sur ta te tes toi ton tu un
une vos votre vous
"""
GERMAN = """
aber als am an auch auf aus bei bin bis da das dass dem den der des die du ein eine einem einen einer er es
für hat ich ihr im in ist mit nach nicht oder sein sich sie sind so und uns von vor wann warum was weil wenn
wer wie wir wo zu zum zur
"""
SPANISH = """
al cómo con cuál cuándo de del desde dónde el ella en entre es esta este ha hay la las le lo los más me mi no
nos o para pero por porque que qué quién se ser si sin sobre su sus te tu un una y ya yo
"""
STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in (
        ("english", ENGLISH),
        ("french", FRENCH),
        ("german", GERMAN),
        ("spanish", SPANISH),
    )
}
"""Function words by language: the words that a ranked keyword search would only be slowed down by."""


@dataclass(frozen=True, slots=True)
class Keywords:
    """What was kept, in order of first appearance, and what was not: (word, reason)."""

    kept: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]


def extract_keywords(text: str, *, language: str = "english", cap: int = DEFAULT_CAP) -> Keywords:
    """The keywords of a question.

    Args:
        text: the question.
        language: of the stop list: english, french, german or spanish; "none" for no list.
        cap: keywords kept at most, ≥ 1; default 8.

    Raises:
        CallError: INVALID_OPTION for an unknown language or a cap below 1.

    >>> extract_keywords('Is ISO-27001 about C++ or AI?').kept
    ('ISO-27001', 'C++', 'AI')
    """
    if cap < 1:
        raise CallError(f"cap is {cap}", expected="1 or more")
    if language != "none" and language not in STOP_WORDS:
        raise CallError(
            f"There is no stop list for {language!r}", expected=f"{', '.join(STOP_WORDS)} or none"
        )
    stops = STOP_WORDS.get(language, frozenset())
    kept: dict[str, str] = {}
    dropped: list[tuple[str, str]] = []
    for match in TOKEN.finditer(text):
        phrase = match[1] or match[2]
        word = (phrase or match[3]).strip()
        reason = _reason(word, phrase is not None, stops, kept, cap)
        if reason:
            dropped.append((word, reason))
        else:
            kept[word.casefold()] = word
    return Keywords(tuple(kept.values()), tuple(dropped))


def has_keywords(text: str) -> bool:
    """Whether `extract_keywords` would keep any English keyword; one plain word is enough, and the usual."""
    stops = STOP_WORDS["english"]
    for word in text.split():
        if len(word) >= SHORTEST_WORD and word.isalpha() and word.casefold() not in stops:
            return True
    return bool(extract_keywords(text).kept)


def _reason(word: str, quoted: bool, stops: frozenset[str], kept: dict[str, str], cap: int) -> str:
    folded = word.casefold()
    if not word:
        return "empty"
    if folded in kept:
        return "repeated"
    if not quoted and not _telling(word, folded in stops):
        if folded in stops:
            return "stop word"
        if len(word) < SHORTEST_WORD and word.isascii():
            return "too short"
    return "over the cap" if len(kept) >= cap else ""


def _telling(word: str, common: bool) -> bool:
    """Whether even a short or common word says something: a digit, a mark, an acronym, a lone capital."""
    if any(not character.isalpha() for character in word if character not in "'’"):
        return True
    return word.isupper() and (len(word) > 1 or not common)
