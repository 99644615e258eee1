"""The regular expressions of Lucene 10.1, which match whole terms.

    union   = common ("|" common)*            common = sequence ("&" sequence)*
    sequence = repeated+                      repeated = single ("?" | "*" | "+" | {n} | {n,} | {n,m})*
    single  = . | # (nothing) | @ (anything) | "text" | ( union ) | () | <n-m> | [class] | [^class]
            | \\d \\D \\s \\S \\w \\W | \\character | character

There are no anchors, flags, groups to capture or complement (`~`); those characters mean themselves, as does
an operator in a place where it can bind nothing.

Source: the grammar in the documentation of Lucene's RegExp; positions in messages count UTF-16 units.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns import languages
from atlas_rag.inprocess.search.algorithms.patterns.automaton import Automaton, fixed_prefix
from atlas_rag.inprocess.search.algorithms.patterns.languages import Characters, Language

_DIGIT = languages.characters((ord("0"), ord("9")))
_SPACE = languages.characters(*((ord(character), ord(character)) for character in " \t\n\r"))
_WORD = languages.characters(
    (ord("a"), ord("z")), (ord("A"), ord("Z")), (ord("0"), ord("9")), (ord("_"), ord("_"))
)
_CLASSES = {
    "d": _DIGIT,
    "s": _SPACE,
    "w": _WORD,
    "D": languages.other_characters(_DIGIT),
    "S": languages.other_characters(_SPACE),
    "W": languages.other_characters(_WORD),
}
_LARGEST_INT = 2**31 - 1
LONGEST_PATTERN = 40_000
"""Characters of a pattern that is more than plain text: more than a term can have."""
SHORT_PREFIX = 100
"""Characters that the automaton may as well read itself; of a longer prefix it would need as many states."""
_MEANS_MORE = re.compile(r'[.#@"()<>\[\]{}?*+|&\\]')


@dataclass(frozen=True, slots=True)
class TermPattern:
    """A compiled pattern: `accepts` decides on whole terms, all of which begin with `prefix`."""

    prefix: str
    accepts: Callable[[str], object]


def compile_regexp(pattern: str) -> TermPattern:
    """Compiles a Lucene regular expression.

    Raises:
        EngineRefusal: it is malformed, in Lucene's words.
    """
    if pattern and not _MEANS_MORE.search(pattern):
        return TermPattern(pattern, pattern.__eq__)
    if len(pattern) > LONGEST_PATTERN:
        raise EngineRefusal(f"a regular expression of {len(pattern)} characters is too long")
    try:
        language = _Parser(pattern).language() if pattern else languages.EMPTY_STRING
    except RecursionError:
        raise EngineRefusal("the regular expression is nested too deeply") from None
    prefix, rest = fixed_prefix(language)
    if len(prefix) <= SHORT_PREFIX:
        return TermPattern(prefix, Automaton(language, pattern).accepts)
    accepts = Automaton(rest, pattern).accepts
    return TermPattern(prefix, lambda term: term.startswith(prefix) and accepts(term[len(prefix) :]))


class _Parser:
    """Recursive descent over the grammar above."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._unknown: str | None = None

    def language(self) -> Language:
        parsed = self._union()
        if self._at < len(self._text):
            raise self._refusal("end-of-string expected")
        if self._unknown is not None:
            raise EngineRefusal(f"'{self._unknown}' not found")
        return parsed

    def _refusal(self, problem: str, back: int = 0) -> EngineRefusal:
        read = self._text[: self._at]
        return EngineRefusal(f"{problem} at position {len(read.encode('utf-16-le')) // 2 - back}")

    def _peek(self, wanted: str) -> bool:
        return self._text[self._at : self._at + 1] in {*wanted}

    def _take(self, wanted: str) -> bool:
        found = self._peek(wanted)
        self._at += found
        return found

    def _next(self) -> str:
        if self._at == len(self._text):
            raise EngineRefusal("unexpected end-of-string")
        self._at += 1
        return self._text[self._at - 1]

    def _until(self, closing: str) -> str:
        end = self._text.find(closing, self._at)
        start, self._at = self._at, len(self._text) if end < 0 else end + 1
        if end < 0:
            raise self._refusal(f"expected '{closing}'")
        return self._text[start:end]

    def _union(self) -> Language:
        parsed = [self._common()]
        while self._take("|"):
            parsed.append(self._common())
        return languages.choice(*parsed)

    def _common(self) -> Language:
        parsed = [self._sequence()]
        while self._take("&"):
            parsed.append(self._sequence())
        return languages.common(*parsed)

    def _sequence(self) -> Language:
        parsed = [self._repeated()]
        while self._at < len(self._text) and not self._peek(")|&"):
            parsed.append(self._repeated())
        return languages.sequence(*parsed)

    def _repeated(self) -> Language:
        parsed = self._single()
        while True:
            if self._take("?"):
                parsed = languages.repeat(parsed, 0, 1)
            elif self._take("*"):
                parsed = languages.repeat(parsed, 0)
            elif self._take("+"):
                parsed = languages.repeat(parsed, 1)
            elif self._take("{"):
                parsed = languages.repeat(parsed, *self._bounds())
            else:
                return parsed

    def _bounds(self) -> tuple[int, int | None]:
        least = self._integer()
        if least is None:
            raise self._refusal("integer expected")
        most = self._integer() if self._take(",") else least
        if not self._take("}"):
            raise self._refusal("expected '}'")
        if most is not None and least > most:
            raise EngineRefusal(f"invalid repetition range(out of order): {least}..{most}")
        return least, most

    def _integer(self) -> int | None:
        start = self._at
        while self._take("0123456789"):
            pass
        digits = self._text[start : self._at]
        if digits and int(digits) > _LARGEST_INT:
            raise EngineRefusal(f'For input string: "{digits}"')
        return int(digits) if digits else None

    def _single(self) -> Language:
        if self._take("["):
            return self._class()
        if self._take("."):
            return languages.ANY_CHARACTER
        if self._take("#"):
            return languages.NOTHING
        if self._take("@"):
            return languages.EVERYTHING
        if self._take('"'):
            return languages.literal(self._until('"'))
        if self._take("("):
            return self._group()
        if self._take("<"):
            return self._interval()
        return self._escaped_class() or languages.literal(self._character())

    def _group(self) -> Language:
        if self._take(")"):
            return languages.EMPTY_STRING
        parsed = self._union()
        if not self._take(")"):
            raise self._refusal("expected ')'")
        return parsed

    def _class(self) -> Language:
        negated = self._take("^")
        parsed = [self._class_item()]
        while self._at < len(self._text) and not self._peek("]"):
            parsed.append(self._class_item())
        if not self._take("]"):
            raise self._refusal("expected ']'")
        listed = languages.characters(*(each for item in parsed for each in item.ranges))
        return languages.other_characters(listed) if negated else listed

    def _class_item(self) -> Characters:
        named = self._escaped_class()
        if named:
            return named
        first = ord(self._character())
        last = ord(self._character()) if self._take("-") else first
        if first > last:
            raise EngineRefusal(f"invalid range: from ({first}) cannot be > to ({last})")
        return languages.characters((first, last))

    def _escaped_class(self) -> Characters | None:
        """Reads `\\d` and its kind, or `\\\\`; of any other escape only the backslash."""
        if not self._take("\\"):
            return None
        if self._peek("dDwWsS"):
            return _CLASSES[self._next()]
        if self._take("\\"):
            return languages.characters((ord("\\"), ord("\\")))
        if self._text[self._at : self._at + 1].isascii() and self._text[self._at : self._at + 1].isalpha():
            raise EngineRefusal(f"invalid character class \\{ord(self._next())}")
        return None

    def _character(self) -> str:
        self._take("\\")
        return self._next()

    def _interval(self) -> Language:
        name = self._until(">")
        if "-" not in name:  # a named automaton, of which the engine knows none; refused after syntax errors
            self._unknown = name if self._unknown is None else self._unknown
            return languages.NOTHING
        first, _, last = name.partition("-")
        if not (_is_int(first) and _is_int(last)):
            raise self._refusal("interval syntax error", back=1)
        low, high = sorted((int(first), int(last)))
        if len(first) == len(last):
            return languages.Digits(f"{low:0{len(first)}}", f"{high:0{len(first)}}")
        zeros = languages.repeat(languages.literal("0"), 0)
        return languages.sequence(zeros, languages.choice(*_by_length(low, high)))


def _is_int(text: str) -> bool:
    return text.isdecimal() and int(text) <= _LARGEST_INT


def _by_length(low: int, high: int) -> list[Language]:
    """The numbers from `low` to `high` without leading zeros, those of each length apart."""
    return [
        languages.Digits(
            str(max(low, 10 ** (digits - 1) if digits > 1 else 0)), str(min(high, 10**digits - 1))
        )
        for digits in range(len(str(low)), len(str(high)) + 1)
    ]
