"""Lucene's classic query syntax: from text to a small tree.

Or is the default operator; neighbouring bare words are analysed as one text. `AND` makes the clause before it
required as well, unless that is prohibited; there is no precedence.

Source: the grammar of Lucene's classic QueryParser, with the messages of its version 10.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Literal

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.query_string.nodes import (
    Boosted,
    Clause,
    Everything,
    Fuzzy,
    Group,
    Node,
    Phrase,
    Prefix,
    Range,
    Regexp,
    Wildcard,
    Words,
)
from atlas_rag.inprocess.search.algorithms.query_string.tokens import IMAGES, Token, escaped, tokens

_DEFAULT_EDITS = 2.0


def parse(query: str, default_path: str) -> Group:
    """Parses a query string; terms without a field are of `default_path`.

    Raises:
        EngineRefusal: it is malformed, in Lucene's words.
    """
    parser = _Parser(query)
    try:
        group = parser.group(default_path)
        parser.take("EOF")
    except RecursionError:
        raise EngineRefusal(f"Cannot parse '{query}': it is nested too deeply") from None
    return group


class _Parser:
    """Recursive descent; remembers which kinds would have been welcome, for the message."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._source = tokens(query)
        self._ahead: deque[Token] = deque()
        self._welcome: set[str] = set()
        self._could_be_field = False

    def group(self, field: str) -> Group:
        clauses = [self._clause(field, first=True)]
        while self._peek("AND", "OR", *_CLAUSE_STARTS):
            clauses.append(self._clause(field, first=False))
        return Group(tuple(clauses))

    def take(self, *kinds: str) -> Token:
        if not self._peek(*kinds):
            raise self._unexpected()
        self._welcome.clear()
        self._could_be_field = False
        return self._ahead.popleft()

    def _peek(self, *kinds: str) -> bool:
        self._welcome.update(kinds)
        return self._kind() in kinds

    def _kind(self, ahead: int = 0) -> str:
        while len(self._ahead) <= ahead:
            self._ahead.append(next(self._source))
        return self._ahead[ahead].kind

    def _refusal(self, problem: str) -> EngineRefusal:
        return EngineRefusal(f"Cannot parse '{self._query}': {problem}")

    def _unexpected(self) -> EngineRefusal:
        token = self._ahead[0]
        image = IMAGES[token.kind]
        shown = image if token.kind == "EOF" else f' {image} "{escaped(token.image)} "'
        listed = [IMAGES[kind] for kind in IMAGES if kind in self._welcome]
        expected = "".join(f"{name} {'' if name == '<EOF>' else '...'}\n    " for name in listed)
        if self._could_be_field:  # the word before; Lucene looks ahead for this and lists it last
            expected += '":" ...\n    '
        heading = "Was expecting one of:" if len(listed) > 1 else "Was expecting:"
        return self._refusal(
            f'Encountered "{shown}" at line 1, column {token.column}.\n{heading}\n    {expected}'
        )

    def _clause(self, field: str, *, first: bool) -> Clause:
        if self._bare_words_ahead():
            return Clause("", "", self._bare_words(field))
        conjunction: Literal["", "AND", "OR"] = ""
        if not first and self._peek("AND", "OR"):
            conjunction = "AND" if self.take("AND", "OR").kind == "AND" else "OR"
        modifier: Literal["", "+", "-"] = ""
        if self._peek("NOT", "PLUS", "MINUS"):
            modifier = "+" if self.take("NOT", "PLUS", "MINUS").kind == "PLUS" else "-"
        return Clause(conjunction, modifier, self._operand(field))

    def _bare_words_ahead(self) -> bool:
        return self._kind() == "TERM" and self._word_follows(1)

    def _word_follows(self, ahead: int) -> bool:
        return self._kind(ahead) == "TERM" and self._kind(ahead + 1) not in _ENDS_BARE_WORDS

    def _bare_words(self, field: str) -> Words:
        words = [self.take("TERM").image]
        while self._word_follows(0):
            words.append(self.take("TERM").image)
        return Words(field, self._plain(" ".join(words)), spread=True)

    def _operand(self, field: str) -> Node:
        named = self._kind() in ("TERM", "STAR") and self._kind(1) == "COLON"
        if named:
            name = self.take("TERM", "STAR")
            field = "*" if name.kind == "STAR" else self._plain(name.image)
            self.take("COLON")
        if self._peek("LPAREN"):
            self.take("LPAREN")
            node: Node = self.group(field)
            self.take("RPAREN")
            return self._boosted(node, self._boost())
        if self._peek("RANGEIN_START", "RANGEEX_START"):
            return self._range(field)
        token = self.take(*_OPERANDS)
        self._could_be_field = not named and token.kind == "TERM"
        boost = self._boost()
        slop = self.take("FUZZY_SLOP").image[1:] if self._peek("FUZZY_SLOP") else None
        if boost is None and slop is not None:
            boost = self._boost()
        return self._boosted(self._leaf(field, token, slop), boost)

    def _boost(self) -> float | None:
        if not self._peek("CARAT"):
            return None
        self.take("CARAT")
        return float(self.take("NUMBER").image)

    @staticmethod
    def _boosted(node: Node, boost: float | None) -> Node:
        return node if boost is None else Boosted(node, boost)

    def _check_field(self, field: str) -> None:
        if field.startswith("$"):
            raise self._refusal(f"field {field} cannot begin with $")

    def _leaf(self, field: str, token: Token, slop: str | None) -> Node:
        self._check_field(field)
        if token.kind == "QUOTED":
            return Phrase(field, self._plain(token.image[1:-1]), int(_number(slop) or 0))
        image = token.image[:1] if token.kind == "BAREOPER" else token.image
        text = self._plain(image)
        match token.kind:
            case "STAR" | "WILDTERM":
                return self._wildcard(field, image)
            case "PREFIXTERM":
                return self._prefix(field, self._plain(image[:-1]))
            case "REGEXPTERM":
                return Regexp(field, image[1:-1])
        return Words(field, text) if slop is None else self._fuzzy(field, text, slop)

    def _wildcard(self, field: str, pattern: str) -> Node:
        if field == pattern == "*":
            return Everything()
        if pattern[0] in "*?":
            raise self._refusal("'*' or '?' not allowed as first character in WildcardQuery")
        return Wildcard(field, pattern)

    def _prefix(self, field: str, text: str) -> Prefix:
        if text.startswith("*"):
            raise self._refusal("'*' not allowed as first character in PrefixQuery")
        return Prefix(field, text)

    def _fuzzy(self, field: str, text: str, slop: str) -> Fuzzy:
        similarity = _number(slop)
        if similarity is None:
            similarity = _DEFAULT_EDITS
        if similarity < 0:
            raise self._refusal("Minimum similarity for a FuzzyQuery has to be between 0.0f and 1.0f !")
        if similarity >= 1 and similarity != int(similarity):
            raise self._refusal("Fractional edit distances are not allowed!")
        return Fuzzy(field, text, similarity)

    def _range(self, field: str) -> Node:
        include_low = self.take("RANGEIN_START", "RANGEEX_START").kind == "RANGEIN_START"
        low = self.take(*_BOUNDS)
        self.take("RANGE_TO")
        high = self.take(*_BOUNDS)
        include_high = self.take("RANGEIN_END", "RANGEEX_END").kind == "RANGEIN_END"
        boost = self._boost()
        self._check_field(field)
        node = Range(field, self._bound(low), self._bound(high), include_low, include_high)
        return self._boosted(node, boost)

    def _bound(self, token: Token) -> str | None:
        if token.kind == "RANGE_QUOTED":
            return self._plain(token.image[1:-1])
        return None if token.image == "*" else self._plain(token.image)

    def _plain(self, text: str) -> str:
        """The text without escapes; `\\uXXXX` is a UTF-16 unit."""
        try:
            return _unescaped(text)
        except ValueError as problem:
            raise self._refusal(str(problem)) from None


_OPERANDS = ("BAREOPER", "STAR", "QUOTED", "TERM", "PREFIXTERM", "WILDTERM", "REGEXPTERM", "NUMBER")
_BOUNDS = ("RANGE_TO", "RANGE_QUOTED", "RANGE_GOOP")
_CLAUSE_STARTS = ("NOT", "PLUS", "MINUS", "LPAREN", "RANGEIN_START", "RANGEEX_START", *_OPERANDS)
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ENDS_BARE_WORDS = frozenset({"COLON", "STAR", "FUZZY_SLOP", "CARAT", "AND", "OR"})


def _number(text: str | None) -> float | None:
    """The number written, None where there is none to read."""
    return float(text) if text and _DECIMAL.fullmatch(text) else None


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    units: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        at += 1
        if character != "\\":
            units.append(character)
            continue
        if at == len(text):
            raise ValueError("Term can not end with escape character.")
        at += 1
        if text[at - 1] != "u":
            units.append(text[at - 1])
            continue
        units.append(_unit(text[at : at + 4]))
        at += 4
    joined = "".join(units)
    return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unit(digits: str) -> str:
    for digit in digits:
        if digit not in "0123456789abcdefABCDEF":
            raise ValueError(f"Non-hex character in Unicode escape sequence: {digit}")
    if len(digits) < 4:
        raise ValueError("Truncated unicode escape sequence.")
    return chr(int(digits, 16))
