"""Mapping: each longest match of a key is replaced by its value."""

from __future__ import annotations

import re
from collections.abc import Mapping

from atlas_rag.inprocess.search.analysis.offsets import CharFilter, Edits, Origin


def mapping(mappings: Mapping[str, str]) -> CharFilter:
    """A char filter from the definition's `mappings`; an empty key never matches."""
    keys = sorted(filter(None, mappings), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, keys))) if keys else None

    def apply(text: str) -> tuple[str, Origin | None]:
        if pattern is None:
            return text, None
        edits = Edits()
        place = 0
        for match in pattern.finditer(text):
            edits.keep(text[place : match.start()])
            edits.replace(len(match[0]), mappings[match[0]], late=True)
            place = match.end()
        edits.keep(text[place:])
        return edits.result()

    return apply
