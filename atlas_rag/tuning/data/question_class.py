"""The class of a question by rules on its text: what a router can tell before anything is searched."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

QUOTED = re.compile(r"[\"“„«].+?[\"”“»]")
IDENTIFIER = re.compile(r"\b(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z_])[\w./-]{3,}\b|\b\d{4,}\b|\b\w+_\w+\b")
SHORT, LONG = 3, 12
"""Words up to which a question is short, and from which it is long."""


def shape(text: str) -> str:
    """quoted, identifier, short, long or plain; the first that applies.

    >>> [shape(text) for text in ('"exact words" please', "error E11000", "red shoes")]
    ['quoted', 'identifier', 'short']
    """
    if QUOTED.search(text):
        return "quoted"
    if IDENTIFIER.search(text):
        return "identifier"
    words = len(text.split())
    if words <= SHORT:
        return "short"
    return "long" if words >= LONG else "plain"


def script(text: str) -> str:
    """The script of most letters, such as latin, cyrillic or cjk: a language a rule can tell.

    >>> script("где море")
    'cyrillic'
    """
    counts: dict[str, int] = {}
    for letter in text:
        if letter.isalpha():
            name = unicodedata.name(letter, "unknown").split()[0].lower()
            counts[name] = counts.get(name, 0) + 1
    return max(counts, key=lambda name: counts[name]) if counts else "none"


CLASSES: Mapping[str, Callable[[str], str]] = {"shape": shape, "script": script}
"""Rules by name."""
