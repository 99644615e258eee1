"""Stop words."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from importlib.resources import files

from atlas_rag.inprocess.search.analysis.token import TermFilter


@cache
def stop_words(language: str) -> frozenset[str]:
    """The engine's own list for a language, one word a line in `data/stop/`."""
    package = files(__package__.rpartition(".")[0])
    return frozenset((package / "data" / "stop" / f"{language}.txt").read_text("utf-8").split())


def stop(words: Collection[str]) -> TermFilter:
    """Drops the words; each leaves a hole."""
    return TermFilter(lambda term: None if term in words else term)


def stop_ignoring_case(words: Collection[str], lower: Callable[[str], str]) -> TermFilter:
    """Drops the words however they are written."""
    lowered = frozenset(map(lower, words))
    return TermFilter(lambda term: None if lower(term) in lowered else term)
