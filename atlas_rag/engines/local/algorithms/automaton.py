"""Which terms of a sorted dictionary belong to a regular language."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from atlas_rag.engines.local.algorithms import languages
from atlas_rag.engines.local.algorithms.languages import Characters, Language
from atlas_rag.engines.local.refusals import EngineRefusal

MOST_STATES = 10_000
_DEAD = -1
_CERTAIN = -2


class Automaton:
    """Tells whether a term belongs to a language; remembers every transition it has once worked out.

    Args:
        language: what to accept.
        source: the pattern's text, for the refusal of patterns that need more than `MOST_STATES` states.
    """

    def __init__(self, language: Language, source: str) -> None:
        self._source = source
        self._numbers = {languages.NOTHING: _DEAD, languages.EVERYTHING: _CERTAIN}
        self._states: list[Language] = []
        self._following: list[dict[str, int]] = []
        self._accepting: list[bool] = []
        self._start = self._number(language)

    def accepts(self, term: str) -> bool:
        """Whether the whole term belongs to the language."""
        state = self._start
        for character in term:
            if state < 0:
                break
            following = self._following[state].get(character)
            state = self._step(state, character) if following is None else following
        return state == _CERTAIN if state < 0 else self._accepting[state]

    def _step(self, state: int, character: str) -> int:
        number = self._number(languages.derivative(self._states[state], character))
        self._following[state][character] = number
        return number

    def _number(self, language: Language) -> int:
        known = self._numbers.get(language)
        if known is not None:
            return known
        if len(self._states) == MOST_STATES:
            raise EngineRefusal(f"Determinizing {self._source} would require more than {MOST_STATES} effort.")
        number = self._numbers[language] = len(self._states)
        self._states.append(language)
        self._following.append({})
        self._accepting.append(languages.has_empty_string(language))
        return number


def fixed_prefix(language: Language) -> str:
    """The characters that every string of the language begins with, as far as they are plain to see."""
    parts = language.parts if isinstance(language, languages.Sequence) else (language,)
    prefix = ""
    for part in parts:
        if not (isinstance(part, Characters) and len(part.ranges) == 1):
            break
        low, high = part.ranges[0]
        if low != high:
            break
        prefix += chr(low)
    return prefix


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
