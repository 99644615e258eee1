"""Regular expressions of the server's dialect (PCRE) in terms of Python's `re`.

Letters fold case over all of Unicode; the classes `\\d`, `\\w`, `\\s`, `\\b` are ASCII. What Python cannot
express is refused as an invalid expression.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from bson import Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values.order import regex_flags

_FLAGS = {"i": re.I, "m": re.M, "s": re.S, "x": re.X, "u": re.NOFLAG}

_WORD, _SPACE = "A-Za-z0-9_", r"\t-\r "
_OUTSIDE = {
    "d": "[0-9]",
    "D": "[^0-9]",
    "w": f"[{_WORD}]",
    "W": f"[^{_WORD}]",
    "s": f"[{_SPACE}]",
    "S": f"[^{_SPACE}]",
    "b": f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
    "B": f"(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}]))",
    "h": r"[\t ]",
    "R": r"(?:\r\n|[\n-\r])",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "e": r"\x1b",
}
_INSIDE = {"d": "0-9", "w": _WORD, "s": _SPACE, "h": r"\t ", "e": r"\x1b"}
_POSIX = {
    "alpha": "A-Za-z",
    "digit": "0-9",
    "alnum": "A-Za-z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": _SPACE,
    "punct": r"!-/:-@\[-`{-~",
    "xdigit": "0-9A-Fa-f",
    "word": _WORD,
}
# One piece of a pattern: a literal run, an escape, a POSIX class, a bracket, or any other character.
_PIECE = re.compile(r"\\Q(?P<quoted>.*?)(?:\\E|$)|\\(?P<escape>.)|\[:(?P<posix>\w+):\]|(?P<other>.)", re.S)


def compile_regex(pattern: str, options: str = "") -> re.Pattern[str]:
    """Returns a compiled expression. Raises code 51091 (invalid pattern) or 51108 (unknown option)."""
    unknown = next((letter for letter in options if letter not in _FLAGS), None)
    if unknown is not None:
        raise CommandError(51108, f" invalid flag in regex options: {unknown}")
    return _compiled(pattern, options)


@lru_cache(maxsize=512)
def _compiled(pattern: str, options: str) -> re.Pattern[str]:
    flags = re.NOFLAG
    for letter in options:
        flags |= _FLAGS[letter]
    try:
        return re.compile(_translated(pattern), flags)
    except (re.error, OverflowError) as error:
        raise CommandError(51091, f"Regular expression is invalid: {_wording(error)}") from error


def _wording(error: Exception) -> str:
    """Returns the reason, in PCRE's words for the most common one."""
    text = str(error)
    return "missing )" if text.startswith("missing )") else text


def _translated(pattern: str) -> str:
    pieces: list[str] = []
    class_start: int | None = None
    for match in _PIECE.finditer(pattern):
        quoted, escape, posix, other = match.group("quoted", "escape", "posix", "other")
        inside = class_start is not None
        if quoted is not None:
            pieces.append(re.escape(quoted))
        elif escape is not None:
            pieces.append((_INSIDE if inside else _OUTSIDE).get(escape, "\\" + escape))
        elif posix is not None:
            pieces.append(_POSIX.get(posix, match.group()) if inside else f"[:{posix}:]")
        else:
            if other == "[" and not inside:
                class_start = match.start()
            elif other == "]" and class_start is not None and not _opens_with(pattern, class_start, match):
                class_start = None
            elif inside and other in "[&|~":
                other = "\\" + other
            pieces.append(other)
    return "".join(pieces)


def _opens_with(pattern: str, class_start: int, match: re.Match[str]) -> bool:
    """True for a `]` that stands first in its class and so is one of its members."""
    return pattern[class_start : match.start()] in ("[", "[^")


def compiled_value(value: Regex[Any] | re.Pattern[Any]) -> re.Pattern[str]:
    """Returns a stored regular expression in compiled form."""
    return compile_regex(regex_text(value), regex_flags(value))


def regex_text(value: Regex[Any] | re.Pattern[Any]) -> str:
    """Returns the pattern of a stored regular expression."""
    pattern = value.pattern
    return pattern.decode() if isinstance(pattern, bytes) else str(pattern)
