"""Which regular expressions Java compiles, how many groups they capture, and its words for those it refuses.

Written from the documentation of `java.util.regex.Pattern` and the texts of `PatternSyntaxException`:

    Illegal repetition range near index 5
    a{2,1}
         ^

The caret line is left out where the index lies behind the last character, and the index too where it lies
before the first.
"""

from __future__ import annotations

import unicodedata
from typing import Final, NoReturn

_END: Final = ""
_FLAGS: Final = frozenset("idmsuxU-")
_QUANTIFIERS: Final = frozenset("*+?")
_LITERAL_ESCAPES: Final = frozenset("DHRSVWXadefhnrstvw")
_ANCHOR_ESCAPES: Final = frozenset("ABGZbz")
_KNOWN_ESCAPES: Final = _LITERAL_ESCAPES | _ANCHOR_ESCAPES
_CLASS_ONLY_REFUSED: Final = _ANCHOR_ESCAPES | frozenset("RXk")
_HEX: Final = frozenset("0123456789abcdefABCDEF")
_PROPERTIES: Final = frozenset({
    "ASCII", "Alnum", "Alpha", "Blank", "Cntrl", "Digit", "Graph", "L1", "LC", "LD", "Lower", "Print",
    "Punct", "Space", "Upper", "XDigit", "all",
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd",
    "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp",
    "Zs",
})  # fmt: skip
"""Property names without a prefix: POSIX classes and general categories."""

_CATEGORIES: Final = frozenset("CLMNPSZ")
_NUL: Final = "\0"
_MAX_CODE_POINT: Final = 0x10FFFF
_INT_MAX: Final = (1 << 31) - 1


class PatternError(ValueError):
    """A pattern that Java refuses; its text is Java's."""


def capturing_groups(pattern: str) -> int:
    """The number of capturing groups of a pattern.

    Raises:
        PatternError: Java would not compile it.
    """
    return _Scanner(pattern).scan()


class _Scanner:
    """Reads a pattern from left to right; `_at` is the next character."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0
        self._groups, self._names = 0, set[str]()

    def scan(self) -> int:
        self._alternatives()
        if self._at < len(self._pattern):
            self._refuse("Unmatched closing ')'", self._at - 1)
        return self._groups

    # ------------------------------------------------------------------ reading and refusing

    def _peek(self, ahead: int = 0) -> str:
        position = self._at + ahead
        return self._pattern[position] if position < len(self._pattern) else _END

    def _read(self) -> str:
        character = self._peek()
        self._at += 1
        return character

    def _refuse(self, text: str, index: int) -> NoReturn:
        lines = [text if index < 0 else f"{text} near index {index}", self._pattern]
        if 0 <= index < len(self._pattern):
            lines.append(" " * index + "^")
        raise PatternError("\n".join(lines))

    # ------------------------------------------------------------------ sequences and groups

    def _alternatives(self) -> bool:
        """Read up to `)` or the end; whether what was read has a greatest length."""
        bounded = True
        while (character := self._peek()) not in (_END, ")"):
            bounded &= self._item(character)
        return bounded

    def _item(self, character: str) -> bool:
        if character in _QUANTIFIERS:
            self._refuse(f"Dangling meta character '{character}'", self._at)
        if character == "|":
            self._at += 1
            return True
        bounded = self._atom(character)
        return self._quantifier(bounded) if bounded is not None else True

    def _atom(self, character: str) -> bool | None:
        """Read one unit; None for inline flags, which nothing can repeat."""
        if character == "(":
            return self._group()
        if character == "[":
            self._class()
        elif character == "\\":
            return self._escape()
        elif character != "{":  # a brace repeats what stands before it, even nothing
            self._at += 1
        return True

    def _group(self) -> bool | None:
        self._at += 1
        if self._peek() != "?":
            self._groups += 1
            return self._close(self._alternatives())
        self._at += 1
        kind = self._read()
        if kind in (":", "=", "!", ">"):
            return self._close(self._alternatives())
        if kind == "<":
            return self._named_or_behind()
        return self._inline_flags(kind)

    def _close(self, bounded: bool) -> bool:
        if self._peek() != ")":
            self._refuse("Unclosed group", self._at)
        self._at += 1
        return bounded

    def _named_or_behind(self) -> bool:
        if self._peek() in ("=", "!"):
            self._at += 1
            if not self._close(self._alternatives()):
                self._refuse("Look-behind group does not have an obvious maximum length", self._at - 1)
            return True
        name = self._name()
        if name in self._names:
            self._refuse(f"Named capturing group <{name}> is already defined", self._at - 1)
        self._names.add(name)
        self._groups += 1
        return self._close(self._alternatives())

    def _name(self) -> str:
        start = self._at
        if not (self._peek().isascii() and self._peek().isalpha()):
            self._refuse("capturing group name does not start with a Latin letter", self._at)
        while self._peek().isascii() and self._peek().isalnum():
            self._at += 1
        name = self._pattern[start : self._at]
        if self._read() != ">":
            self._refuse("named capturing group is missing trailing '>'", self._at - 1)
        return name

    def _inline_flags(self, flag: str) -> bool | None:
        if flag in ("$", "@"):
            self._refuse("Unknown group type", self._at - 1)
        while flag and flag in _FLAGS:
            flag = self._read()
        if flag == ")":
            return None
        if flag != ":":
            self._refuse("Unknown inline modifier", self._at - 1)
        return self._close(self._alternatives())

    # ------------------------------------------------------------------ quantifiers

    def _quantifier(self, bounded: bool) -> bool:
        character = self._peek()
        if character in ("*", "+", "?") and character:
            self._at += 1
            bounded &= character == "?"
        elif character == "{":
            bounded &= self._counted()
        else:
            return bounded
        if self._peek() in ("?", "+"):  # reluctant, possessive
            self._at += 1
        return bounded

    def _counted(self) -> bool:
        """Read `{n}`, `{n,}` or `{n,m}`; whether it has an upper end."""
        if not self._is_digit(self._peek(1)):
            self._refuse("Illegal repetition", self._at + 1)
        self._at += 1
        least = most = self._digits()
        endless = False
        if self._peek() == ",":
            self._at += 1
            endless = self._peek() == "}"
            most = _INT_MAX if endless else self._digits()
        if self._read() != "}":
            self._refuse("Unclosed counted closure", self._at - 1)
        if most < least or max(least, most) > _INT_MAX:
            self._refuse("Illegal repetition range", self._at - 1)
        return not endless

    def _digits(self) -> int:
        start = self._at
        while self._is_digit(self._peek()):
            self._at += 1
        return int(self._pattern[start : self._at] or "0")

    @staticmethod
    def _is_digit(character: str) -> bool:
        return "0" <= character <= "9" if character else False

    # ------------------------------------------------------------------ classes

    def _class(self) -> None:
        self._at += 1
        if self._peek() == "^":
            self._at += 1
        first = True
        while first or self._peek() != "]":
            if self._peek() == _END:
                self._refuse("Unclosed character class", len(self._pattern) - 1)
            self._class_item()
            first = False
        self._at += 1

    def _class_item(self) -> None:
        if self._peek() == "[":
            self._class()
            return
        low = self._class_character()
        if low is None or self._peek() != "-" or self._peek(1) in ("]", "["):
            return
        self._at += 1
        high = self._class_character()
        if high is not None and high < low:  # the end of the pattern is below every character
            self._refuse("Illegal character range", self._at - 1)

    def _class_character(self) -> str | None:
        """Read one character; None for an escape that stands for many or for a code."""
        if self._peek() != "\\":
            return self._read()
        escaped = self._peek(1)
        self._escape(in_class=True)
        return escaped if escaped and not escaped.isalnum() else None

    # ------------------------------------------------------------------ escapes

    def _escape(self, *, in_class: bool = False) -> bool:
        """Read a backslash and what belongs to it; whether that has a greatest length."""
        self._at += 1
        character = self._read()
        if character == _END:
            self._refuse("Unescaped trailing backslash", len(self._pattern))
        if in_class and (character in _CLASS_ONLY_REFUSED or "1" <= character <= "9"):
            self._refuse("Illegal/unsupported escape sequence", self._at - 1)
        if character == "Q":
            end = self._pattern.find("\\E", self._at)
            self._at = len(self._pattern) if end < 0 else end + 2
        elif character == "k":
            self._named_reference()
            return False
        elif "1" <= character <= "9":
            return False
        else:
            self._coded(character)
        return True

    def _named_reference(self) -> None:
        if self._read() != "<":
            self._refuse("\\k is not followed by '<' for named capturing group", self._at - 1)
        name = self._name()
        if name not in self._names:
            self._refuse(f"named capturing group <{name}> does not exist", self._at - 1)

    def _coded(self, character: str) -> None:
        if character in ("p", "P"):
            self._property()
        elif character == "x":
            self._hexadecimal()
        elif character == "u":
            self._exactly(4, "Illegal Unicode escape sequence")
        elif character == "0":
            if not "0" <= (self._peek() or "x") <= "7":
                self._refuse("Illegal octal escape sequence", self._at)
        elif character == "c":
            if self._read() == _END:
                self._refuse("Illegal control escape sequence", self._at - 2)
        elif character == "N":
            self._character_name()
        elif character.isascii() and character.isalpha() and character not in _KNOWN_ESCAPES:
            self._refuse("Illegal/unsupported escape sequence", self._at - 1)

    def _character_name(self) -> None:
        if self._peek() != "{":
            self._refuse("Illegal character name escape sequence", self._at)
        end = self._pattern.find("}", self._at)
        if end < 0:
            self._refuse("Unclosed character name escape sequence", len(self._pattern))
        name = self._pattern[self._at + 1 : end]
        try:
            unicodedata.lookup(name)
        except KeyError:
            self._refuse(f"Unknown character name [{name}]", end)
        self._at = end + 1

    def _property(self) -> None:
        if self._peek() != "{":
            name = self._read()
            if name not in _CATEGORIES:
                self._refuse(f"Unknown character property name {{{name or _NUL}}}", self._at - 1)
            return
        end = self._pattern.find("}", self._at)
        if end < 0:
            self._refuse("Unclosed character family", len(self._pattern))
        name = self._pattern[self._at + 1 : end]
        if not name:
            self._refuse("Empty character family", end)
        if "=" not in name and not name.startswith(("In", "Is", "java")) and name not in _PROPERTIES:
            self._refuse(f"Unknown character property name {{{name}}}", end)
        self._at = end + 1

    def _hexadecimal(self) -> None:
        if self._peek() != "{":
            self._exactly(2, "Illegal hexadecimal escape sequence")
            return
        start = self._at
        self._at += 1
        code = 0
        while self._peek() in _HEX:
            code = code * 16 + int(self._read(), 16)
            if code > _MAX_CODE_POINT:
                self._refuse("Hexadecimal codepoint is too big", self._at - 1)
        if self._at == start + 1:
            self._refuse("Illegal hexadecimal escape sequence", start)
        if self._read() != "}":
            self._refuse("Unclosed hexadecimal escape sequence", self._at - 1)

    def _exactly(self, count: int, complaint: str) -> None:
        for _ in range(count):
            if self._read() not in _HEX:
                self._refuse(complaint, self._at - 1)
