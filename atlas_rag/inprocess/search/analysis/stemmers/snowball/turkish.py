"""Turkish (Snowball, E. Kapusuz Çilden's): suffix chains read from the right, with vowel harmony.

Source: G. Eryiğit, E. Adalı, An affix stripping morphological analyzer for Turkish, 2004. Suffixes are named
as there: A is a or e, U one of ı i u ü, D d or t; a leading y, s or n appears after vowels only.
"""

from __future__ import annotations

from typing import NamedTuple

VOWELS = frozenset("aeıioöuü")
HIGH = frozenset("ıiuü")
HARMONY = {"a": "aıou", "e": "eiöü", "ı": "aı", "i": "ei", "o": "ou", "ö": "öü", "u": "ou", "ü": "öü"}
ADDED = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}
HARDENED = {"b": "p", "c": "ç", "d": "t", "ğ": "k"}


class _Suffix(NamedTuple):
    """The spellings of a suffix, what may precede it, and whether its vowel must harmonize."""

    spellings: tuple[str, ...]
    optional: str = ""
    harmonic: bool = True


def _each(pattern: str) -> str:
    """A pattern with U spelled as each high vowel."""
    return " ".join(pattern.replace("U", vowel) for vowel in "ıiuü")


def _suffix(spellings: str, optional: str = "", harmonic: bool = True) -> _Suffix:
    return _Suffix(tuple(sorted(spellings.split(), key=len, reverse=True)), optional, harmonic)


SUFFIXES = {
    "possessive": _suffix(f"{_each('mUz')} {_each('nUz')} m n", "U", harmonic=False),
    "sU": _suffix("ı i u ü", "s"),
    "lArI": _suffix("leri ları", harmonic=False),
    "yU": _suffix("ı i u ü", "y"),
    "nU": _suffix(_each("nU")),
    "nUn": _suffix(_each("Un"), "n"),
    "yA": _suffix("a e", "y"),
    "nA": _suffix("na ne"),
    "DA": _suffix("da de ta te"),
    "ndA": _suffix("nda nde"),
    "DAn": _suffix("dan den tan ten"),
    "ndAn": _suffix("ndan nden"),
    "ylA": _suffix("la le", "y"),
    "ki": _suffix("ki", harmonic=False),
    "ncA": _suffix("ca ce", "n"),
    "yUm": _suffix(_each("Um"), "y"),
    "sUn": _suffix(_each("sUn")),
    "yUz": _suffix(_each("Uz"), "y"),
    "sUnUz": _suffix(_each("sUnUz"), harmonic=False),
    "lAr": _suffix("ler lar"),
    "nUz": _suffix(_each("nUz")),
    "DUr": _suffix(f"{_each('tUr')} {_each('dUr')}"),
    "cAsInA": _suffix("casına cesine", harmonic=False),
    "yDU": _suffix(" ".join(_each(d + "U" + person) for d in "td" for person in ("m", "n", "k", "")), "y"),
    "ysA": _suffix("sam san sak sem sen sek sa se", "y", harmonic=False),
    "ymUs": _suffix(_each("mUş"), "y"),
    "yken": _suffix("ken", "y", harmonic=False),
}
PERSON = ("sUnUz", "lAr", "yUm", "sUn", "yUz")


def stem(word: str) -> str:
    """The stem of a word in Turkish lower case; words of one syllable stay."""
    if sum(letter in VOWELS for letter in word) < 2:
        return word
    chain = _Chain(word)
    if not chain.nominal_verb():
        return chain.text
    chain.noun()
    return chain.text if chain.text in ("ad", "soyad") else _finished(chain.text)


def _finished(word: str) -> str:
    """With the vowel that a final d or g wants, else with its last consonant hardened."""
    if word.endswith(("d", "g")):
        vowel = next((letter for letter in reversed(word) if letter in VOWELS), "")
        if vowel:
            return word + ADDED[vowel]
    return word[:-1] + HARDENED[word[-1]] if word[-1:] in HARDENED else word


class _Chain:
    """A word being read from the right.

    `behind` counts the letters behind the place read so far, `mark` those behind the place where the suffix
    to cut began. Reading that fails leaves the place where it was; cuts are never undone.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.behind = 0
        self.mark = 0

    def _read(self, *names: str) -> bool:
        """Reads the first of the suffixes that fits."""
        return any(self._read_one(SUFFIXES[name]) for name in names)

    def _read_one(self, suffix: _Suffix) -> bool:
        rest = self.text[: len(self.text) - self.behind]
        if suffix.harmonic and not _harmonizes(rest):
            return False
        spelling = next((s for s in suffix.spellings if rest.endswith(s)), None)
        if spelling is None:
            return False
        rest = rest[: -len(spelling)]
        if suffix.optional:
            taken = _optional(rest, suffix.optional)
            if taken is None:
                return False
            rest = rest[: len(rest) - taken]
        self.behind = len(self.text) - len(rest)
        return True

    def _begin(self) -> bool:
        self.mark = self.behind
        return True

    def _cut(self) -> bool:
        """Takes out what was read since the mark."""
        self.text = self.text[: len(self.text) - self.behind] + self.text[len(self.text) - self.mark :]
        self.behind = self.mark
        return True

    def _take(self, *names: str) -> bool:
        """Reads one of the suffixes and cuts it, with what was read since the mark."""
        return self._read(*names) and self._cut()

    def _take_new(self, *names: str) -> bool:
        """The same, from here on."""
        return self._begin() and self._take(*names)

    def _back(self, behind: int) -> bool:
        self.behind = behind
        return False

    # -- what ends a predicate

    def nominal_verb(self) -> bool:
        """Cuts the endings of a nominal predicate; False if nothing more may come off."""
        self._begin()
        start = self.behind
        more = True
        predicate = self._read("ymUs", "yDU", "ysA", "yken")
        if predicate or (self._read("cAsInA") and self._person_then_ymus()):
            self._cut()
        elif self._back(start) or self._take("lAr"):
            self._begin()
            self._take("DUr", "yDU", "ysA", "ymUs")
            more = False
        elif self._read("nUz") and self._read("yDU", "ysA"):
            self._cut()
        elif self._back(start) or self._take("sUnUz", "yUz", "sUn", "yUm"):
            self._begin()
            self._take("ymUs")
        elif self._take("DUr"):
            self._begin()
            if self._person_then_ymus():
                self._cut()
        self.behind = 0
        return more

    def _person_then_ymus(self) -> bool:
        start = self.behind
        self._read(*PERSON)
        return self._read("ymUs") or self._back(start)

    # -- what ends a noun

    def noun(self) -> bool:
        """Cuts one chain of noun suffixes: the first that fits."""
        alternatives = (
            self._plural, self._equative, self._locative, self._ablative_of_owned, self._ablative,
            self._genitive_or_instrumental, self._their, self._before_ki, self._other_case, self._owned,
        )  # fmt: skip
        return any(self._restored(alternative()) for alternative in alternatives)

    def _restored(self, done: bool) -> bool:
        """Whether it was done; if not, reading starts at the end again."""
        return done or self._back(0)

    def _then_plural_before_ki(self) -> bool:
        """A plural behind what was cut, then a chain before -ki; both may be missing."""
        behind = self.behind
        if not (self._take_new("lAr") and self._before_ki()):
            self._back(behind)
        return True

    def _plural(self) -> bool:
        if not self._take_new("lAr"):
            return False
        self._optional_before_ki()
        return True

    def _optional_before_ki(self) -> bool:
        behind = self.behind
        if not self._before_ki():
            self._back(behind)
        return True

    def _owned(self) -> bool:
        return self._take_new("possessive", "sU") and self._then_plural_before_ki()

    def _equative(self) -> bool:
        if not self._take_new("ncA"):
            return False
        behind = self.behind
        if not (self._take_new("lArI") or self._owned()) and not (
            self._take_new("lAr") and self._before_ki()
        ):
            self._back(behind)
        return True

    def _locative(self) -> bool:
        self._begin()
        if not self._read("ndA", "nA"):
            return False
        return self._after_locative()

    def _after_locative(self) -> bool:
        """Behind -ndA: -lArI, an owned noun, or a chain before -ki."""
        behind = self.behind
        if self._take("lArI"):
            return True
        if self._take("sU"):
            return self._then_plural_before_ki()
        return self._before_ki() or self._back(behind)

    def _ablative_of_owned(self) -> bool:
        self._begin()
        if not self._read("ndAn", "nU"):
            return False
        if self._take("sU"):
            return self._then_plural_before_ki()
        return self._read("lArI")

    def _ablative(self) -> bool:
        if not self._take_new("DAn"):
            return False
        self._begin()
        behind = self.behind
        if self._take("possessive"):
            return self._then_plural_before_ki()
        if self._take("lAr"):
            return self._optional_before_ki()
        if not self._before_ki():
            self._back(behind)
        return True

    def _genitive_or_instrumental(self) -> bool:
        if not self._take_new("nUn", "ylA"):
            return False
        behind = self.behind
        if self._take_new("lAr") and self._before_ki():
            return True
        self._back(behind)
        if not self._owned() and not self._before_ki():
            self._back(behind)
        return True

    def _their(self) -> bool:
        return self._take_new("lArI")

    def _other_case(self) -> bool:
        if not self._take_new("DA", "yU", "yA"):
            return False
        self._begin()
        behind = self.behind
        if self._take("possessive"):
            self._begin()
            self._read("lAr")
        elif not self._read("lAr"):
            return True
        self._cut()
        self._begin()
        if not self._before_ki():
            self._back(behind)
        return True

    def _before_ki(self) -> bool:
        """A chain that ends in -ki: behind a locative or a genitive."""
        start = self.behind
        self._begin()
        if not self._read("ki"):
            return False
        if self._take("DA"):
            self._begin()
            if self._take("lAr"):
                return self._optional_before_ki()
            return not self._take("possessive") or self._then_plural_before_ki()
        if self._take("nUn"):
            self._begin()
            behind = self.behind
            if not (self._take("lArI") or self._owned() or self._before_ki()):
                self._back(behind)
            return True
        return (self._read("ndA") and self._after_locative()) or self._back(start)


def _harmonizes(text: str) -> bool:
    """Whether a vowel that goes with the last one stands anywhere before it."""
    place = next((i for i in range(len(text) - 1, -1, -1) if text[i] in VOWELS), -1)
    return place >= 0 and any(letter in HARMONY[text[place]] for letter in text[:place])


def _optional(rest: str, optional: str) -> int | None:
    """Letters that the optional letter before a suffix takes, None where the context forbids the suffix."""
    last, before = rest[-1:], rest[-2:-1]
    present = last in HIGH and last != "" if optional == "U" else last == optional
    if not before or (before in VOWELS) == (optional == "U"):
        return None
    return 1 if present else 0
