"""Regular expressions with bounded work: PCRE2, as a server has it, in calls that are all short.

A server bounds the backtracking from one starting point (`MATCH_LIMIT`), not the number of starting points,
so a search through a long text may take it minutes. Here no call into PCRE2 does more than `MATCH_LIMIT`
steps for many starting points together:

* at first the whole text is searched with so small a limit that even all starting points together are cheap,
  which is enough for nearly every search;
* where that is not enough, starting points are tried one after the other, each with the server's own limit;
  of a long text slices of them, and each slice that hits the limit is divided, down to single points.

Between calls the operation may be interrupted. The answer is the server's, whichever way it was found: a
limit that a single starting point hits is the only one that shows.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

import pcre2

from atlas_rag.inprocess.interruption import check
from atlas_rag.inprocess.mql.match.regex.dialect import MATCH_LIMIT, Dialect, Unsupported, read

SLICES = (256, 16, 1)
"""Starting points in one call, from the first try to the last."""

MOST_STEPS = 100_000
"""Steps, over all starting points, that a first try through a whole text may take."""

LONGEST_FIRST_TRY = 8_192
"""Starting points; of more of them slices are taken at once, where the length of a match is open."""

MOST_PASSES = 4_000_000
"""Characters times starting points in a slice: what a call may look at without a step being counted."""

# PCRE2's codes for an end that is neither a match nor none, to those that a server's error text holds.
_LIMITS = {-47: -8, -53: -21}
_RESULT_CODES = {**_LIMITS, -52: -26}
_PLACE = re.compile(r"^compilation failed at position \d+; ")
# Reasons of this PCRE2 in the words of the recorded servers'.
_WORDING = {
    "missing closing parenthesis": "missing )",
    "missing ) following (?# comment": "missing ) after comment",
    "quantifier does not follow a repeatable item": "nothing to repeat",
    "length of lookbehind assertion is not limited": "lookbehind assertion is not fixed length",
    "unknown property after \\P or \\p": "unknown property name after \\P or \\p",
}
_FLAGS = {"i": pcre2.I, "m": pcre2.M, "s": pcre2.S, "x": pcre2.X, "u": pcre2.NOFLAG}


class InvalidPattern(ValueError):  # noqa: N818 - it names what was found
    """PCRE2 does not take the pattern; the text says why."""


class SearchFailed(Exception):  # noqa: N818 - it names what happened
    """A search came to no answer: too many steps from one starting point, or an endless recursion.

    Attributes:
        result_code: the number that a server's error text holds.
    """

    def __init__(self, error: pcre2.LibraryError) -> None:
        super().__init__(error.msg)
        self.result_code = _RESULT_CODES.get(error.code, error.code)


class LimitExceeded(SearchFailed):
    """Steps ran out; fewer starting points in one call may go further."""


class Expression:
    """A compiled regular expression.

    Args:
        pattern: in the server's dialect.
        options: letters of `imsxu`.

    Raises:
        InvalidPattern: it is none.
    """

    def __init__(self, pattern: str, options: str) -> None:
        self._options = options
        try:
            self._dialect: Dialect = read(pattern, options)
        except Unsupported as unsupported:
            raise InvalidPattern(str(unsupported)) from None
        self._single = self._compiled(self._dialect.body, self._dialect.match)

    def matches(self, text: str) -> bool:
        """Whether there is a match; there is none, as on a server, where a search gives up."""
        try:
            return self.find(text) is not None
        except SearchFailed:
            return False

    def find(self, text: str, start: int = 0) -> pcre2.Match | None:
        """Returns the first match from a position on.

        Raises:
            SearchFailed: a server would have given up.
            CommandError: the command is not to go on.
        """
        points = len(text) - start + 1
        dialect = self._dialect
        if points <= LONGEST_FIRST_TRY or dialect.short or not dialect.sliceable:
            try:
                return _search(self._within(_limit_for(points)), text, start)
            except LimitExceeded:
                if not dialect.sliceable:
                    raise
        return self._in_slices(text, start)

    def _in_slices(self, text: str, start: int) -> pcre2.Match | None:
        end = len(text) + 1
        widest = 1 if end - start <= LONGEST_FIRST_TRY else SLICES[0]
        while widest * len(text) > MOST_PASSES and widest > 1:
            widest = SLICES[SLICES.index(widest) + 1]
        for first in range(start, end, widest):
            found = self._slice(text, first, min(widest, end - first), SLICES.index(widest))
            if found is not None:
                return found
        return None

    def _slice(self, text: str, first: int, points: int, level: int) -> pcre2.Match | None:
        """Returns the first match that begins at one of some points."""
        check()
        width = SLICES[level]
        if width == 1:
            return _anchored(self._single, text, first)
        try:
            found = _search(self._sliced(width), text, first)
        except LimitExceeded:
            for narrower in range(first, first + points, SLICES[level + 1]):
                rest = min(SLICES[level + 1], first + points - narrower)
                found = self._slice(text, narrower, rest, level + 1)
                if found is not None:
                    return found
            return None
        return found

    # ---------------------------------------------------------------- compiled forms

    def _compiled(self, body: str, limit: int) -> pcre2.Pattern:
        flags = pcre2.A  # classes know ASCII only, unless (*UCP) says otherwise
        for letter in self._options:
            flags |= _FLAGS[letter]
        dialect = self._dialect
        head = f"(*LIMIT_MATCH={limit})(*LIMIT_DEPTH={dialect.depth}){dialect.settings}"
        try:
            return pcre2.compile(head + body, flags, jit=False)
        except pcre2.PatternError as error:
            reason = _PLACE.sub("", error.msg)
            raise InvalidPattern(_WORDING.get(reason, reason)) from None

    @cached_property
    def _forms(self) -> dict[str, pcre2.Pattern]:
        return {}

    def _within(self, limit: int) -> pcre2.Pattern:
        """The expression with a smaller limit."""
        return self._form(self._dialect.body, min(limit, self._dialect.match))

    def _sliced(self, width: int) -> pcre2.Pattern:
        """The expression behind a jump over fewer than so many characters."""
        # `\E` ends a quotation that the pattern leaves open.
        return self._form(rf"\G(?s:.{{0,{width - 1}}}?)\K(?:{self._dialect.body}\E)", self._dialect.match)

    def _form(self, body: str, limit: int) -> pcre2.Pattern:
        key = f"{limit}:{body}"
        if key not in self._forms:
            self._forms[key] = self._compiled(body, limit)
        return self._forms[key]


def _limit_for(points: int) -> int:
    """Steps for one starting point, as a power of two so that few forms are compiled."""
    return min(MATCH_LIMIT, 1 << max(MOST_STEPS // points, 1).bit_length())


def _search(pattern: pcre2.Pattern, text: str, start: int) -> pcre2.Match | None:
    try:
        return pattern.search(text, start)
    except pcre2.LibraryError as error:
        raise _failure(error) from None


def _anchored(pattern: pcre2.Pattern, text: str, start: int) -> pcre2.Match | None:
    try:
        return pattern.match(text, start)
    except pcre2.LibraryError as error:
        raise _failure(error) from None


def _failure(error: pcre2.LibraryError) -> SearchFailed:
    return LimitExceeded(error) if error.code in _LIMITS else SearchFailed(error)


@lru_cache(maxsize=512)
def compiled(pattern: str, options: str) -> Expression:
    """Returns a compiled expression, kept for the next time. Raises `InvalidPattern`."""
    return Expression(pattern, options)
