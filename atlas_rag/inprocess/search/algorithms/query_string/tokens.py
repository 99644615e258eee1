"""Tokens of Lucene's classic query syntax.

Source: the token definitions of Lucene's classic QueryParser. Three lexical states: what may follow `^` and
what stands inside a range have tokens of their own. The longest match wins, of equally long ones the first in
the list. Messages are those of Lucene 10's token manager.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from atlas_rag.inprocess.errors import EngineRefusal

_BLANK = " \t\n\r\u3000"
_START = rf'(?:[^{_BLANK}+\-!():^\[\]"{{}}~*?\\/]|\\.)'
_TERM = rf"(?:{_START}|[-+])"

# Kinds in the order in which messages list them, with the name each has there.
IMAGES = {
    "EOF": "<EOF>",
    "AND": "<AND>",
    "OR": "<OR>",
    "NOT": "<NOT>",
    "PLUS": '"+"',
    "MINUS": '"-"',
    "BAREOPER": "<BAREOPER>",
    "LPAREN": '"("',
    "RPAREN": '")"',
    "COLON": '":"',
    "STAR": '"*"',
    "CARAT": '"^"',
    "QUOTED": "<QUOTED>",
    "TERM": "<TERM>",
    "FUZZY_SLOP": "<FUZZY_SLOP>",
    "PREFIXTERM": "<PREFIXTERM>",
    "WILDTERM": "<WILDTERM>",
    "REGEXPTERM": "<REGEXPTERM>",
    "RANGEIN_START": '"["',
    "RANGEEX_START": '"{"',
    "NUMBER": "<NUMBER>",
    "RANGE_TO": '"TO"',
    "RANGEIN_END": '"]"',
    "RANGEEX_END": '"}"',
    "RANGE_QUOTED": "<RANGE_QUOTED>",
    "RANGE_GOOP": "<RANGE_GOOP>",
}

_PATTERNS = {
    "default": {
        "AND": r"AND|&&",
        "OR": r"OR|\|\|",
        "NOT": r"NOT|!",
        "PLUS": r"\+",
        "MINUS": r"-",
        "BAREOPER": rf"[-+!][{_BLANK}]",
        "LPAREN": r"\(",
        "RPAREN": r"\)",
        "COLON": r":",
        "STAR": r"\*",
        "CARAT": r"\^",
        "QUOTED": r'"(?:[^"\\]|\\.)*"',
        "TERM": rf"{_START}{_TERM}*",
        "FUZZY_SLOP": rf"~(?:[0-9]+(?:\.[0-9]+)?)?{_TERM}*",
        "PREFIXTERM": rf"\*|{_START}{_TERM}*\*",
        "WILDTERM": rf"(?:{_START}|[*?])(?:{_TERM}|[*?])*",
        "REGEXPTERM": r"/(?:\\/|[^/])*/",
        "RANGEIN_START": r"\[",
        "RANGEEX_START": r"\{",
    },
    "boost": {"NUMBER": r"[0-9]+(?:\.[0-9]+)?"},
    "range": {
        "RANGE_TO": r"TO",
        "RANGEIN_END": r"\]",
        "RANGEEX_END": r"\}",
        "RANGE_QUOTED": r'"(?:\\"|[^"])+"',
        "RANGE_GOOP": r"[^ \]}]+",
    },
}
_LEXICAL_STATES = {"boost": 0, "range": 1, "default": 2}
_COMPILED = {
    state: [(kind, re.compile(pattern, re.DOTALL)) for kind, pattern in patterns.items()]
    for state, patterns in _PATTERNS.items()
}
_SKIPPED = re.compile(f"[{_BLANK}]+")
_NEXT_STATE = {
    "CARAT": "boost",
    "NUMBER": "default",
    "RANGEIN_START": "range",
    "RANGEEX_START": "range",
    "RANGEIN_END": "default",
    "RANGEEX_END": "default",
}


class Token(NamedTuple):
    """A token; `column` is the offset of its first character."""

    kind: str
    image: str
    column: int


def tokens(query: str) -> Iterator[Token]:
    """The tokens of a query one by one, then `EOF` for ever.

    Raises:
        EngineRefusal: the next character begins no token.
    """
    state, at = "default", 0
    while True:
        blank = _SKIPPED.match(query, at) if state != "boost" else None
        at = blank.end() if blank else at
        token = _longest(query, at, state) if at < len(query) else Token("EOF", "", at)
        yield token
        at += len(token.image)
        state = _NEXT_STATE.get(token.kind, state)


def _longest(query: str, at: int, state: str) -> Token:
    best = Token("", "", at)
    for kind, pattern in _COMPILED[state]:
        match = pattern.match(query, at)
        if match and match.end() - at > len(best.image):
            best = Token(kind, match[0], at)
    if not best.kind:
        raise EngineRefusal(f"Cannot parse '{query}': {_lexical_error(query, at, state)}")
    return best


def _lexical_error(query: str, at: int, state: str) -> str:
    unfinished = query[at] in '"/\\' and state == "default"
    last = len(query) if unfinished or at + 1 == len(query) else at + 1
    if last == len(query):
        encountered, column = "<EOF>", len(query) + 1
        after = query[at:] if len(query) - at > 1 else ""
    else:
        encountered, column = f"'{escaped(query[at])}' ({ord(query[at])}),", last
        after = ""
    prefix = f' after prefix "{escaped(after)}"' if after else ""
    number = _LEXICAL_STATES[state]
    where = f" (in lexical state {number})" if number else ""
    return f"Lexical error at line 1, column {column}.  Encountered: {encountered}{prefix}{where}"


_ESCAPES = {
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "'": "\\'",
    "\\": "\\\\",
}


def escaped(text: str) -> str:
    """Text as messages show it."""
    return "".join(
        _ESCAPES.get(character) or (character if " " <= character <= "~" else f"\\u{ord(character):04x}")
        for character in text
    )
