"""Arabic light stemming: one prefix, then every suffix that fits in turn.

Source: L. Larkey, L. Ballesteros, M. Connell, Light stemming for Arabic information retrieval (light10).
"""

from __future__ import annotations

PREFIXES = ("ال", "وال", "بال", "كال", "فال", "لل", "و")
SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي")
PERSIAN_SUFFIXES = ("ات", "ان", "ترين", "تر", "يي", "ي", "ها", "\u200c")


def stem(word: str) -> str:
    """The stem of a normalized word."""
    for prefix in PREFIXES:
        needed = 3 if len(prefix) == 1 else 2
        if word.startswith(prefix) and len(word) >= len(prefix) + needed:
            word = word[len(prefix) :]
            break
    return _without(word, SUFFIXES)


def persian_stem(word: str) -> str:
    """The stem of a normalized Persian word."""
    return _without(word, PERSIAN_SUFFIXES)


def _without(word: str, suffixes: tuple[str, ...]) -> str:
    """Takes each suffix off in turn, if two letters remain."""
    for suffix in suffixes:
        if word.endswith(suffix) and len(word) >= len(suffix) + 2:
            word = word[: -len(suffix)]
    return word
