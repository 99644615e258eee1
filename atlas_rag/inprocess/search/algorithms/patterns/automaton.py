"""Which terms of a sorted dictionary belong to a regular language."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import reduce
from operator import getitem

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns import languages
from atlas_rag.inprocess.search.algorithms.patterns.languages import Characters, Language

MOST_STATES = 10_000
MOST_EFFORT = 2 * MOST_STATES
"""Parts that a character may begin with, in all states together."""


class Automaton:
    """Tells whether a term belongs to a language; remembers every transition it has once worked out.

    Args:
        language: what to accept.
        source: the pattern's text, for the refusal of patterns that need more than `MOST_STATES` states or
            `MOST_EFFORT`.
    """

    def __init__(self, language: Language, source: str) -> None:
        self._source = source
        self._effort = 0
        self._states: dict[Language, _State] = {}
        self._start = self.state(language)

    def accepts(self, term: str) -> bool:
        """Whether the whole term belongs to the language."""
        last: _State = reduce(getitem, term, self._start)
        return last.accepting

    def state(self, language: Language) -> _State:
        """The state in which the rest of a term must belong to a language."""
        known = self._states.get(language)
        if known is None:
            self._effort += _effort(language)
            if len(self._states) == MOST_STATES or self._effort > MOST_EFFORT:
                raise EngineRefusal(
                    f"Determinizing {self._source} would require more than {MOST_STATES} effort."
                )
            known = self._states[language] = _State(self, language)
        return known


def _effort(language: Language) -> int:
    """How many parts a character may begin with: those of every alternative up to one that is never empty."""
    alternatives = language.alternatives if isinstance(language, languages.Choice) else (language,)
    count = 0
    for each in alternatives:
        for part in languages.links(each):
            count += 1
            if not languages.has_empty_string(part):
                break
    return count


class _State(dict[str, "_State"]):
    """Where each character leads; filled as characters are met, so that a known term costs look-ups only."""

    __slots__ = ("_automaton", "_language", "accepting")

    def __init__(self, automaton: Automaton, language: Language) -> None:
        super().__init__()
        self._automaton = automaton
        self._language = language
        self.accepting = languages.has_empty_string(language)

    def __missing__(self, character: str) -> _State:
        following = self[character] = self._automaton.state(languages.derivative(self._language, character))
        return following


def fixed_prefix(language: Language) -> tuple[str, Language]:
    """The characters that every string of the language begins with, where they are plain, and the rest."""
    prefix: list[str] = []
    while (character := _only_character(language)) is not None:
        prefix.append(character)
        language = language.rest if isinstance(language, languages.Sequence) else languages.EMPTY_STRING
    return "".join(prefix), language


def _only_character(language: Language) -> str | None:
    """The one character that all strings begin with, if the first part says so."""
    first = language.first if isinstance(language, languages.Sequence) else language
    if isinstance(first, Characters) and len(first.ranges) == 1 and first.ranges[0][0] == first.ranges[0][1]:
        return chr(first.ranges[0][0])
    return None


def matching(terms: Sequence[str], prefix: str, accepts: Callable[[str], object]) -> list[int]:
    """Indices of the terms that begin with `prefix` and are accepted.

    Args:
        terms: in code point order.
        prefix: all that is accepted begins with it; looks at those terms only.
        accepts: truthy for a term to keep; a compiled pattern's `fullmatch` will do.
    """
    start = bisect_left(terms, prefix)
    found: list[int] = []
    for index in range(start, len(terms)):
        term = terms[index]
        if not term.startswith(prefix):
            break
        if accepts(term):
            found.append(index)
    return found
