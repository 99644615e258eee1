"""Lucene's wildcard patterns: `*` any characters, `?` any one, `\\` makes the next character literal."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.algorithms.patterns.regexp import TermPattern

MOST_TOGETHER = 50
"""Texts between stars that are compiled into one expression; more are looked for one by one."""

_PIECE = re.compile(r"\\(.)|\*+|\?|[^*?\\]+|\\", re.DOTALL)


def compile_wildcard(pattern: str) -> TermPattern:
    """Compiles a wildcard pattern; a backslash at the end stands for itself.

    The text between two stars is taken at its first place and never again (an atomic group), so matching
    takes linear time per star.
    """
    segments = [""]
    prefix, plain = "", True
    for piece in _PIECE.finditer(pattern):
        text = piece[0]
        if text.startswith("*"):
            segments.append("")
            plain = False
        elif text == "?":
            segments[-1] += "."
            plain = False
        else:
            text = piece[1] or text
            segments[-1] += re.escape(text)
            prefix += text if plain else ""
    if len(segments) > MOST_TOGETHER:
        return TermPattern(prefix, _Segments(segments).accepts)
    return TermPattern(prefix, re.compile(_expression(segments), re.DOTALL).fullmatch)


def _expression(segments: list[str]) -> str:
    first, *rest = segments
    if not rest:
        return first
    inner = "".join(f"(?>.*?{segment})" for segment in rest[:-1])
    return f"{first}{inner}.*{rest[-1]}"


class _Segments:
    """Many texts between stars: the first and the last at the ends of a term, the others in order between."""

    def __init__(self, segments: list[str]) -> None:
        compiled = {segment: re.compile(segment, re.DOTALL) for segment in set(segments)}
        self._first, *self._inner = (compiled[segment] for segment in segments[:-1])
        self._last = re.compile(f".*{segments[-1]}", re.DOTALL)

    def accepts(self, term: str) -> bool:
        found = self._first.match(term)
        for segment in self._inner:
            found = found and segment.search(term, found.end())
        return bool(found and self._last.fullmatch(term, found.end()))
