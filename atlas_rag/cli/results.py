"""Results as lines of a terminal: what was found, a line of its text, and where it stood."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

from atlas_rag.hits.evidence import WORDS

if TYPE_CHECKING:
    from atlas_rag.hits import Hit
    from atlas_rag.retriever import Result

TITLES = ("title", "name", "heading", "subject")
INDENT = 4
SCORE = 28
"""Characters kept for a score and its kind."""


def terminal_width() -> int:
    """Characters in a line, 60 to 120; 80 where nobody knows."""
    return min(max(shutil.get_terminal_size().columns, 60), 120)


def result_lines(result: Result, width: int | None = None) -> list[str]:
    """The hits, each with a line of its text and its ranks; or why there is none."""
    room = width or terminal_width()
    evidence = result.evidence
    lines = [f"{evidence.executed_mode}, {evidence.route} route, {len(result)} hits"]
    if evidence.executed_mode != evidence.requested_mode:
        lines.append(f"  not {evidence.requested_mode}: {evidence.mode_reason}")
    for hit in result:
        lines += hit_lines(hit, room)
    if not len(result) and evidence.empty_reason:
        lines.append(f"  {evidence.empty_reason}: {WORDS[evidence.empty_reason]}")
    for note in evidence.notes:
        lines += textwrap.wrap(f"note: {note}", room, initial_indent="  ", subsequent_indent="    ")
    return lines


def hit_lines(hit: Hit, width: int) -> list[str]:
    """Two lines or three: title and score, text, ranks."""
    score = "unscored" if hit.score is None else f"{hit.score.value:.5f} {hit.score.kind.replace('_', ' ')}"
    room = width - INDENT - SCORE
    lines = [f"{hit.rank:>{INDENT - 1}} {shortened(title_of(hit), room):<{room}}{score:>{SCORE}}"]
    lines += [" " * INDENT + text for text in [text_of(hit, width - INDENT)] if text]
    return lines + ([" " * INDENT + ranks_of(hit)] if hit.contributions else [])


def title_of(hit: Hit) -> str:
    """The document's title, or else its id."""
    found = (hit.value_at(path) for path in TITLES)
    return next((one for one in found if isinstance(one, str) and one), str(hit.id))


def text_of(hit: Hit, width: int) -> str:
    """The beginning of the document's text, which is its longest string."""
    texts = [value for key, value in hit.fields.items() if isinstance(value, str) and key not in TITLES]
    return shortened(max(texts, key=len, default=""), width)


def ranks_of(hit: Hit) -> str:
    """Such as `keyword 1 · vector –`."""
    return " · ".join(f"{name} {rank or '–'}" for name, rank in hit.ranks.items())


def shortened(text: str, width: int) -> str:
    """One line of at most `width` characters, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= width else textwrap.shorten(line, width, placeholder="…") or line[:width]
