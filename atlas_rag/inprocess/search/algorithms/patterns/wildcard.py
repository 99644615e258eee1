"""Lucene's wildcard patterns: `*` any characters, `?` any one, `\\` makes the next character literal."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.algorithms.patterns.regexp import TermPattern

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
    return TermPattern(prefix, re.compile(_expression(segments), re.DOTALL).fullmatch)


def _expression(segments: list[str]) -> str:
    first, *rest = segments
    if not rest:
        return first
    inner = "".join(f"(?>.*?{segment})" for segment in rest[:-1])
    return f"{first}{inner}.*{rest[-1]}"
