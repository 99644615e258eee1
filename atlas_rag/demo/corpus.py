"""The articles of the handbook, as items to be loaded, and the questions with their answers."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from atlas_rag.loading import Item

DATABASE, COLLECTION = "atlas_rag_demo", "handbook"
RECIPE = "handbook"
FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks, and the title of the article that answers it."""

    text: str
    answer: str


def articles() -> list[Item]:
    """Every article; its title is its id, and title and text are embedded together."""
    written: dict[str, dict[str, str]] = tomllib.loads((FOLDER / "handbook.toml").read_text("utf-8"))
    return [
        Item(title, f"{title}. {text}", {"title": title, "text": text, "audience": audience})
        for audience, chapter in written.items()
        for title, text in chapter.items()
    ]


def questions() -> list[Question]:
    """The twelve questions."""
    written = tomllib.loads((FOLDER / "questions.toml").read_text("utf-8"))
    return [Question(**one) for one in written["questions"]]
