"""Generated regular expressions that make a backtracking engine despair, and texts for them."""

from __future__ import annotations

import random
from typing import NamedTuple


class Hostile(NamedTuple):
    """One pattern with a text that nearly matches it."""

    pattern: str
    options: str
    text: str


def hostile(seed: int) -> Hostile:
    """Returns a pattern of nested repetition over overlapping choices, the same for the same seed."""
    chance = random.Random(seed)
    letters = chance.sample("abxé1 ", 2)
    body = _nested(chance, letters, chance.randint(1, 3))
    front = chance.choice(["", "^", "(?:.*)", "\\b", "(?<=^)", "x*"])
    back = chance.choice(["$", "\\z", "!!", "[cd]", "(?=q)", "c|q", "\\1$"])
    options = chance.choice(["", "i", "s", "m", "x", "is"])
    size = chance.choice([5, 12, 25, 40, 80, 200, 600])
    tail = chance.choice(["!", "\n", "d", "q", "", "!!"])
    return Hostile(front + body + back, options, "".join(chance.choices(letters, k=size)) + tail)


def _nested(chance: random.Random, letters: list[str], depth: int) -> str:
    inner = chance.choice(
        [
            f"{letters[0]}+",
            f"{letters[0]}|{letters[0]}",
            f"{letters[0]}|{letters[1]}|{letters[0]}{letters[1]}",
            f"[{letters[0]}{letters[1]}]*",
            f"(?:{letters[0]}?){{0,9}}{letters[0]}*",
            ".*",
            "\\w*\\s*",
            f"(?>{letters[0]}+)?{letters[1]}*",
            f"{letters[0]}*{letters[0]}*{letters[1]}*",
        ]
    )
    for _ in range(depth):
        inner = f"({inner}){chance.choice(['*', '+', '+?', '{1,30}', '*?', '?'])}"
    return inner
