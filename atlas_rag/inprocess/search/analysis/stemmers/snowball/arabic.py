"""Arabic (Snowball, A. Chelli's and A. Aries')."""

from __future__ import annotations

import unicodedata

SPELLING = (
    dict.fromkeys([0x0640, *range(0x064B, 0x0653)])  # tatweel and vowel marks go
    | {0x0660 + digit: str(digit) for digit in range(10)}
    | {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFE80, 0xFEFD)}
)
HAMZAS = str.maketrans("أإآؤئ", "اااوي")
ARTICLES = {"بال": 5, "كال": 5, "لل": 4, "ال": 4}
"""Prefixes of a noun with its article, and the letters that the word needs to have at least."""

Endings = dict[str, int]
"""Endings, and the letters that the word needs to have at least."""

NOUN_OWNER: Endings = (
    dict.fromkeys("يكه", 4) | dict.fromkeys(["نا", "كم", "ها", "هن", "هم"], 5) | {"كما": 6, "هما": 6}
)
NOUN_CASE: Endings = dict.fromkeys("ايو", 5)
NOUN_PLURAL: Endings = {"ات": 5}
NOUN_TEH: Endings = {"ت": 4}
VERB_OBJECT: Endings = (
    dict.fromkeys("هك", 4)
    | dict.fromkeys(["ني", "نا", "ها", "هم", "هن", "كم", "كن"], 5)
    | dict.fromkeys(["هما", "كما", "كمو"], 6)
)
VERB_PERSON: Endings = (
    dict.fromkeys("تاني", 4)
    | dict.fromkeys(["نا", "تا", "تن"], 5)
    | dict.fromkeys(["ان", "ون", "ين", "تما"], 6)
)
VERB_PLURAL: Endings = {"وا": 5, "تم": 5}
VERB_WAW: Endings = {"و": 4, "تمو": 6}
DOUBLE_HAMZA = {"أأ": "أ", "أآ": "آ", "أؤ": "أ", "أا": "ا", "أإ": "إ"}
FUTURE = {"سي": "ي", "ست": "ت", "سن": "ن", "سأ": "أ"}


def stem(word: str) -> str:
    """The stem of a word, its marks and presentation forms normalized."""
    defined = any(word.startswith(article) and len(word) >= least for article, least in ARTICLES.items())
    word = word.translate(SPELLING)
    verb = None if defined else _verb(word)
    word = _noun(word, defined) if verb is None else verb
    word = _Prefixed(word, is_verb=not defined).stripped()
    if word.endswith(("أ", "إ", "آ", "ؤ", "ئ")):
        word = word[:-1] + "ء"
    return word.translate(HAMZAS)


def _without(word: str, *tables: Endings) -> str | None:
    """Without the longest ending of the first table that applies, None if none does."""
    for endings in tables:
        ending = next((e for e in (word[-3:], word[-2:], word[-1:]) if e in endings), None)
        if ending is not None and len(word) >= endings[ending]:
            return word[: -len(ending)]
    return None


def _verb(word: str) -> str | None:
    shorter = _without(word, VERB_OBJECT)
    if shorter is None:
        return _without(word, VERB_PLURAL, VERB_PERSON)
    while shorter is not None:
        word, shorter = shorter, _without(shorter, VERB_OBJECT)
    return _without(word, VERB_PERSON, VERB_WAW) or word


def _noun(word: str, defined: bool) -> str:
    """Without noun endings; what comes off stays off even where a later ending is missing."""
    word = _noun_number(word, defined)
    if len(word) >= 3 and word.endswith("ي"):
        return word[:-1]
    return word[:-1] + "ي" if word.endswith("ى") else word


def _noun_number(word: str, defined: bool) -> str:
    if len(word) >= 4 and word.endswith("ة"):
        return word[:-1]
    owned = None if defined else _without(word, NOUN_OWNER)
    if owned is not None:
        return _without(owned, NOUN_CASE, NOUN_PLURAL, NOUN_TEH) or owned
    if len(word) > 5 and word.endswith("ن"):
        word = word[:-1]
        shorter = _without(word, NOUN_CASE, NOUN_PLURAL, NOUN_TEH)
        if shorter is not None:
            return shorter
    return (None if defined else _without(word, NOUN_CASE)) or _without(word, NOUN_PLURAL) or word


class _Prefixed:
    """A word whose prefixes go one after another; a replaced prefix is stepped over."""

    def __init__(self, word: str, is_verb: bool) -> None:
        self._word = word
        self._start = 0
        self._is_verb = is_verb

    def stripped(self) -> str:
        self._replace(DOUBLE_HAMZA, 4)
        if not self._begins("فا", "وا"):
            self._replace({"ف": "", "و": ""}, 4)
        if self._article() or (not self._begins("با") and self._replace({"ب": "", "بب": "ب", "كك": "ك"}, 4)):
            return self._word
        if self._is_verb:
            self._replace(FUTURE, 5)
            self._replace(dict.fromkeys(["يست", "نست", "تست"], "است"), 5)
        return self._word

    def _begins(self, *prefixes: str) -> bool:
        return self._word.startswith(prefixes, self._start)

    def _article(self) -> bool:
        for article, least in ARTICLES.items():
            if self._begins(article):
                return self._replace({article: ""}, least + 1)
        return False

    def _replace(self, prefixes: dict[str, str], least: int) -> bool:
        """Puts another beginning in place if the word has at least so many letters."""
        found = max((p for p in prefixes if self._begins(p)), key=len, default=None)
        if found is None or len(self._word) < least:
            return False
        put = prefixes[found]
        self._word = self._word[: self._start] + put + self._word[self._start + len(found) :]
        self._start += len(put)
        return True
