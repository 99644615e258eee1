"""Regular languages as values, matched by derivatives: linear in the text, intersections included.

The derivative of a language by a character is what may follow that character in its strings. Equal
languages mostly derive to one and the same object, so the derivatives met while matching are the states of an
automaton that is built only as far as the terms at hand lead into it.

Source: J. A. Brzozowski, "Derivatives of Regular Expressions", JACM 11 (1964).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

LAST_CODE_POINT = 0x10FFFF
Ranges: TypeAlias = tuple[tuple[int, int], ...]


class _Unique(type):
    """Makes one object of equal parts, so that languages are compared and hashed by identity."""

    def __init__(cls, *args: Any) -> None:
        super().__init__(*args)
        cls._known: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()

    def __call__(cls, *parts: Any) -> Any:
        found = cls._known.get(parts)
        if found is None:
            found = cls._known[parts] = super().__call__(*parts)
        return found


@dataclass(frozen=True, eq=False)
class Characters(metaclass=_Unique):
    """Every string of one character from these inclusive ranges, which are sorted and apart."""

    ranges: Ranges


@dataclass(frozen=True, eq=False)
class Empty(metaclass=_Unique):
    """Nothing but the empty string."""


@dataclass(frozen=True, eq=False)
class Sequence(metaclass=_Unique):
    """A string of the first, which is no sequence, and behind it one of the rest."""

    first: Language
    rest: Language


@dataclass(frozen=True, eq=False)
class Choice(metaclass=_Unique):
    """The strings of any alternative; without alternatives, none."""

    alternatives: frozenset[Language]


@dataclass(frozen=True, eq=False)
class Common(metaclass=_Unique):
    """The strings that all of these have in common."""

    languages: frozenset[Language]


@dataclass(frozen=True, eq=False)
class Repeat(metaclass=_Unique):
    """`least` to `most` strings of one language in a row; `most` None is without end."""

    item: Language
    least: int
    most: int | None


@dataclass(frozen=True, eq=False)
class Digits(metaclass=_Unique):
    """The decimal numbers from `low` to `high`, both of the same count of digits, as is every string."""

    low: str
    high: str


Language: TypeAlias = Characters | Empty | Sequence | Choice | Common | Repeat | Digits

NOTHING = Choice(frozenset())
EMPTY_STRING = Empty()
ANY_CHARACTER = Characters(((0, LAST_CODE_POINT),))
EVERYTHING = Repeat(ANY_CHARACTER, 0, None)


def characters(*ranges: tuple[int, int]) -> Characters:
    """The characters of inclusive ranges in any order."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return Characters(tuple(joined))


def other_characters(excluded: Characters) -> Characters:
    """All characters but these."""
    edges = [0, *(edge for low, high in excluded.ranges for edge in (low, high + 1)), LAST_CODE_POINT + 1]
    return Characters(
        tuple((low, end - 1) for low, end in zip(edges[::2], edges[1::2], strict=True) if low < end)
    )


def literal(text: str) -> Language:
    """Exactly this string."""
    return sequence(*(Characters(((ord(character), ord(character)),)) for character in text))


def sequence(*parts: Language) -> Language:
    """The parts one after the other, flattened."""
    if NOTHING in parts:
        return NOTHING
    joined: Language = EMPTY_STRING
    for part in reversed(parts):
        for each in reversed(list(links(part))):
            joined = each if joined is EMPTY_STRING else Sequence(each, joined)
    return joined


def links(language: Language) -> Iterator[Language]:
    """The parts of a sequence, a sole part of anything else."""
    while isinstance(language, Sequence):
        yield language.first
        language = language.rest
    if language is not EMPTY_STRING:
        yield language


def choice(*languages: Language) -> Language:
    """Any of the languages, flattened."""
    flat: set[Language] = set()
    for language in languages:
        flat |= language.alternatives if isinstance(language, Choice) else {language}
    if EVERYTHING in flat:
        return EVERYTHING
    return flat.pop() if len(flat) == 1 else Choice(frozenset(flat))


def common(*languages: Language) -> Language:
    """What all the languages share, flattened."""
    flat: set[Language] = set()
    for language in languages:
        flat |= language.languages if isinstance(language, Common) else {language}
    if NOTHING in flat:
        return NOTHING
    flat.discard(EVERYTHING)
    if not flat:
        return EVERYTHING
    return flat.pop() if len(flat) == 1 else Common(frozenset(flat))


def repeat(item: Language, least: int, most: int | None = None) -> Language:
    """`item` in a row, `least` to `most` times."""
    if most == 0 or item == EMPTY_STRING:
        return EMPTY_STRING
    if item == NOTHING:
        return NOTHING if least else EMPTY_STRING
    return item if least == most == 1 else Repeat(item, least, most)


def has_empty_string(language: Language) -> bool:
    """Whether the empty string belongs to the language."""
    match language:
        case Characters() | Digits():
            return False
        case Empty():
            return True
        case Sequence():
            return all(map(has_empty_string, links(language)))
        case Choice(alternatives):
            return any(has_empty_string(each) for each in alternatives)
        case Common(languages):
            return all(has_empty_string(each) for each in languages)
        case Repeat(item, least):
            return least == 0 or has_empty_string(item)


def derivative(language: Language, character: str) -> Language:
    """The rest of every string of the language that begins with `character`."""
    match language:
        case Characters(ranges):
            code = ord(character)
            return EMPTY_STRING if any(low <= code <= high for low, high in ranges) else NOTHING
        case Empty():
            return NOTHING
        case Sequence():
            return _sequence_derivative(language, character)
        case Choice(alternatives):
            return choice(*(derivative(each, character) for each in alternatives))
        case Common(languages):
            return common(*(derivative(each, character) for each in languages))
        case Repeat(item, least, most):
            rest = repeat(item, max(least - 1, 0), None if most is None else most - 1)
            after = derivative(item, character)
            return after if rest is EMPTY_STRING else _followed(after, rest)
        case Digits(low, high):
            return _digits_derivative(low, high, character)


def _sequence_derivative(language: Sequence, character: str) -> Language:
    found: list[Language] = []
    rest: Language = language
    while isinstance(rest, Sequence):
        first, rest = rest.first, rest.rest
        found.append(_followed(derivative(first, character), rest))
        if not has_empty_string(first):
            return choice(*found)
    return choice(*found, derivative(rest, character))


def _followed(language: Language, rest: Language) -> Language:
    """`sequence` of two, without going through the parts of the second."""
    if language is NOTHING:
        return NOTHING
    for each in reversed(list(links(language))):
        rest = Sequence(each, rest)
    return rest


def _digits_derivative(low: str, high: str, digit: str) -> Language:
    if not ("0" <= digit <= "9" and low[0] <= digit <= high[0]):
        return NOTHING
    left = len(low) - 1
    if not left:
        return EMPTY_STRING
    return Digits(low[1:] if digit == low[0] else "0" * left, high[1:] if digit == high[0] else "9" * left)
