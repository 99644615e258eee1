"""Java's regular expressions, translated to Python's.

The engine matches with `java.util.regex` without flags: `\\w`, `\\d`, `\\s`, `\\b` and `(?i)` know ASCII,
which `re.ASCII` gives; the rest is syntax. Source: the documentation of `java.util.regex.Pattern`.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache

from atlas_rag.inprocess.errors import EngineRefusal

POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": r" \t\n\x0b\f\r",
}
LINE_ENDS = r"\n\r\x85\u2028\u2029"
HORIZONTAL = r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000"
VERTICAL = r"\n-\r\x85\u2028\u2029"
END = rf"(?=(?:\r\n|[{LINE_ENDS}])?\Z)"
OUTSIDE_CLASS = {
    "h": f"[{HORIZONTAL}]",
    "H": f"[^{HORIZONTAL}]",
    "v": f"[{VERTICAL}]",
    "V": f"[^{VERTICAL}]",
    "R": rf"(?:\r\n|[{VERTICAL}])",
    "z": r"\Z",
    "Z": END,
    "e": r"\x1b",
    "G": None,
    "X": None,
    "N": None,
}
"""Escapes that Python lacks; None for those that it cannot express."""


@cache
def compile_java(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled.

    Raises:
        EngineRefusal: a syntax error, or what Python cannot express: intersections, \\G, \\X.
    """
    try:
        return re.compile(_Translation(pattern).text(), re.ASCII)
    except re.error as error:
        raise EngineRefusal(f"regular expression {pattern!r} is not valid: {error}") from None


class _Translation:
    """One pass over a pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._place = 0

    def text(self) -> str:
        out = []
        while self._place < len(self._pattern):
            char = self._next()
            if char == "\\":
                out.append(self._escape())
            elif char == "[":
                out.append(self._class())
            elif char == ".":
                out.append(f"[^{LINE_ENDS}]")
            elif char == "$":
                out.append(END)
            elif char == "(" and self._pattern.startswith("?<", self._place) and self._is_name():
                out.append("(?P<")
                self._place += 2
            else:
                out.append(char)
        return "".join(out)

    def _next(self) -> str:
        char = self._pattern[self._place]
        self._place += 1
        return char

    def _is_name(self) -> bool:
        return self._pattern[self._place + 2 : self._place + 3].isalpha()

    def _refuse(self, what: str) -> EngineRefusal:
        return EngineRefusal(
            f"regular expression {self._pattern!r} uses {what}, which is not available in-process"
        )

    def _escape(self) -> str:
        char = self._next() if self._place < len(self._pattern) else ""
        if char == "Q":
            return re.escape(self._quoted())
        if char in "pP" and char:
            return f"[{'^' if char == 'P' else ''}{self._property()}]"
        if char == "k":
            name = self._pattern[self._place + 1 : self._pattern.index(">", self._place)]
            self._place += len(name) + 2
            return f"(?P={name})"
        if char in OUTSIDE_CLASS:
            known = OUTSIDE_CLASS[char]
            if known is None:
                raise self._refuse(f"\\{char}")
            return known
        return self._character(char)

    def _character(self, char: str) -> str:
        """An escape that means the same inside and outside of a class."""
        if char == "x" and self._pattern.startswith("{", self._place):
            end = self._pattern.index("}", self._place)
            code = int(self._pattern[self._place + 1 : end], 16)
            self._place = end + 1
            return re.escape(chr(code))
        if char == "0":
            digits = re.match("[0-3]?[0-7]{1,2}", self._pattern[self._place :])
            self._place += digits.end() if digits else 0
            return re.escape(chr(int(digits[0], 8))) if digits else "\\0"
        if char == "c":
            return re.escape(chr(ord(self._next()) ^ 64))
        if char in "<>-" or not (char.isascii() and (char.isalnum() or char == "_")):
            return re.escape(char)
        return "\\" + char

    def _quoted(self) -> str:
        end = self._pattern.find("\\E", self._place)
        quoted = self._pattern[self._place : end if end >= 0 else None]
        self._place = end + 2 if end >= 0 else len(self._pattern)
        return quoted

    def _property(self) -> str:
        if self._pattern.startswith("{", self._place):
            end = self._pattern.index("}", self._place)
            name = self._pattern[self._place + 1 : end]
            self._place = end + 1
        else:
            name = self._next()
        if name in POSIX:
            return POSIX[name]
        known = _category(name.removeprefix("Is").removeprefix("gc="))
        if not known:
            raise self._refuse(f"the property {name}")
        return known

    def _class(self) -> str:
        """A character class; nested unions are flattened."""
        negated = self._pattern.startswith("^", self._place)
        self._place += negated
        return f"[{'^' if negated else ''}{self._members(first=True)}]"

    def _members(self, *, first: bool) -> str:
        out: list[str] = []
        while True:
            if self._place >= len(self._pattern):
                raise EngineRefusal(
                    f"regular expression {self._pattern!r} is not valid: Unclosed character class"
                )
            char = self._next()
            if char == "]" and not (first and not out):
                return "".join(out)
            if char == "[":
                if self._pattern.startswith("^", self._place):
                    raise self._refuse("a negated class inside a class")
                out.append(self._members(first=False))
            elif char == "&" and self._pattern.startswith("&", self._place):
                raise self._refuse("an intersection of classes")
            elif char == "\\":
                out.append(self._class_escape())
            else:
                out.append("\\" + char if char in "&~|" else char)

    def _class_escape(self) -> str:
        char = self._next()
        if char == "p":
            return self._property()
        if char in "PQRXGNHV":
            raise self._refuse(f"\\{char} inside a class")
        if char == "e":
            return "\\x1b"
        if char in "hv":
            return str(OUTSIDE_CLASS[char])[1:-1]
        return self._character(char)


@cache
def _category(name: str) -> str:
    """Ranges of the characters of a general category (L, Lu, IsAlphabetic by its letters), "" if unknown."""
    codes = [code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)).startswith(name)]
    ranges: list[list[int]] = []
    for code in codes if 1 <= len(name) <= 2 else []:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def java_replacement(replacement: str) -> str:
    """A replacement with `$1`, `${name}` and `\\\\` escapes, for `re.sub`.

    Raises:
        EngineRefusal: a dollar sign without a group.
    """
    out = []
    place = 0
    while place < len(replacement):
        char = replacement[place]
        place += 1
        if char == "\\":
            out.append(replacement[place : place + 1].replace("\\", "\\\\"))
            place += 1
        elif char == "$":
            group = re.match(r"\d|\{([A-Za-z][A-Za-z0-9]*)\}", replacement[place:])
            if group is None:
                raise EngineRefusal("Illegal group reference")
            out.append(f"\\g<{group[1] or group[0]}>")
            place += group.end()
        else:
            out.append(char)
    return "".join(out)
