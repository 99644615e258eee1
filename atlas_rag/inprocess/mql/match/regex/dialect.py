"""The server's dialect as PCRE2's Python binding has to be told it.

The binding reads `\\x` and `\\u` as JavaScript does, so that those are spelled out beforehand; options that
a pattern opens with (`(*UCP)`) are taken off, for limits to stand in front of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MATCH_LIMIT = 200_000
"""Backtracking positions for one starting point. Source: a server's build of PCRE2 (`MATCH_LIMIT`)."""

DEPTH_LIMIT = 4_000
"""Nested backtracking positions. Source: the same (`MATCH_LIMIT_DEPTH`)."""

_OPENING = re.compile(r"\(\*(?P<name>[A-Z0-9_]+)(?:=(?P<number>\d{1,9}))?\)")
_SETTINGS = frozenset(
    {
        *("UCP", "NO_AUTO_POSSESS", "NO_START_OPT", "NO_DOTSTAR_ANCHOR", "NO_JIT", "NOTEMPTY"),
        *("NOTEMPTY_ATSTART", "CR", "LF", "CRLF", "ANYCRLF", "ANY", "NUL", "BSR_ANYCRLF", "BSR_UNICODE"),
    }
)
_LIMITS = {"LIMIT_MATCH": "match", "LIMIT_DEPTH": "depth", "LIMIT_RECURSION": "depth"}
_PIECE = re.compile(
    r"\\Q.*?(?:\\E|$)|\\x\{(?P<code>[0-9a-fA-F]*)\}|\\x(?P<byte>[0-9a-fA-F]{0,2})|\\(?P<escape>.)", re.S
)


class Unsupported(ValueError):  # noqa: N818 - it names what was found
    """Something that no server reads either, or that the binding locks out."""


class Dialect(NamedTuple):
    """A pattern, read.

    Attributes:
        body: the pattern without the options that it opens with.
        settings: those options, but for limits.
        match, depth: its limits.
        sliceable: the starting points of a search may be taken in slices, since nothing in the pattern
            refers to the search as a whole.
        short: nothing in the pattern is repeated without end, so that each starting point is quickly done.
    """

    body: str
    settings: str
    match: int
    depth: int
    sliceable: bool
    short: bool


def read(pattern: str, options: str) -> Dialect:
    """Reads a pattern. Raises `Unsupported`."""
    settings: list[str] = []
    limits = {"match": MATCH_LIMIT, "depth": DEPTH_LIMIT}
    end = 0
    while found := _OPENING.match(pattern, end):
        name, number = found["name"], found["number"]
        if name in _LIMITS and number is not None:
            limits[_LIMITS[name]] = min(limits[_LIMITS[name]], int(number))
        elif name in _SETTINGS and number is None:
            settings.append(found.group())
        elif name not in ("UTF", "UTF8"):  # on anyway
            break
        end = found.end()
    body = _PIECE.sub(_spelled_out, pattern[end:])
    sliceable, short = _is_sliceable(body, options), not set("*+{") & set(body)
    return Dialect(body, "".join(settings), **limits, sliceable=sliceable, short=short)


def _spelled_out(match: re.Match[str]) -> str:
    code, byte, escape = match["code"], match["byte"], match["escape"]
    if code is not None or byte is not None:
        number = int(code or byte or "0", 16)
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise Unsupported("character code point value in \\x{} or \\o{} is too large")
        return f"\\x{number:02x}" if number < 0x80 else chr(number)
    if escape is not None and escape in "uUlL":
        raise Unsupported("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u")
    if escape == "C":
        raise Unsupported("\\C is not supported by the in-process engine: it matches parts of characters")
    return match.group()


def _is_sliceable(body: str, options: str) -> bool:
    """Whether the body may stand inside a group, behind a jump to the starting point."""
    if any(token in body for token in ("(*", "\\G", "(?R", "(?0", "\\g<0>", "\\g'0'")):
        return False
    extended = "x" in options or re.search(r"\(\?[a-zA-Z]*x", body)
    return not (extended and "#" in body)  # a comment would swallow the end of the group
