"""Which product files name one thing of a kind: what it takes to add another of that kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.house.modules import PACKAGE


@dataclass(frozen=True, slots=True)
class Task:
    """Something to add.

    Args:
        example: one that is there.
        pattern: how files name it. within: rooms that are searched; names mean other things elsewhere.
        most: files that it may take.
    """

    example: str
    pattern: str
    within: tuple[str, ...]
    most: int


TASKS: Mapping[str, Task] = {
    "operator": Task(
        "moreLikeThis",
        r'"moreLikeThis"|\bMoreLikeThis\b|\bMORE_LIKE_THIS\b',
        within=("stages", "grammar", "check", "plan", "inprocess"),
        most=8,
    ),
    "index field type": Task(
        "geo",
        r'"geo"|\bGeoField\b',
        within=("grammar", "indexes", "check", "plan", "retriever", "inprocess"),
        most=6,
    ),
    "fusion": Task("score", r"\bScoreArithmetic\b", within=("plan", "retriever", "hits", "tuning"), most=4),
    "input pipeline": Task(
        "SearchInput", r"\bSearchInput\b", within=("plan", "retriever", "recipes"), most=4
    ),
    "reranker": Task("CohereReranker", r"\bCohereReranker\b", within=("rerank", "retriever"), most=3),
    "expression": Task("$toHashedIndexKey", r'"\$?toHashedIndexKey"', within=("inprocess",), most=3),
}
"""By what is added, as `docs/extending.md` says."""


def files(task: Task) -> list[str]:
    """The files of the package that name the example, docstrings left out of account."""
    return [
        str(path.relative_to(PACKAGE.parent))
        for room in task.within
        for path in _python(PACKAGE / room)
        if re.search(task.pattern, _code(path))
    ]


def _python(room: Path) -> Iterator[Path]:
    yield from sorted(room.rglob("*.py")) if room.is_dir() else ()


def _code(path: Path) -> str:
    return re.sub(r'"""(?:.|\n)*?"""', "", path.read_text(encoding="utf-8"))
