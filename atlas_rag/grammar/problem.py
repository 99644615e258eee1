"""One refusal in the engine's own words, and the place in the document it is about.

A place is a chain of `(parent, key)` pairs ending in `None`, the root: descending costs one small tuple, and
the dotted text is only written when there is something to say.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypeAlias

At: TypeAlias = "tuple[At, str | int] | None"
"""A place: `None` is the root, `(place, "path")` a field of it, `(place, 0)` an item of an array."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Args:
        path: dotted place with `[i]` for array items; empty for the document itself.
        message: the engine's whole message, with its path where the engine prints one.
        rule: stable kebab-case name of the rule that was broken.
        given: names that nothing knows, or the value that is not in a list.
        known: what could have been meant instead.
    """

    path: str
    message: str
    rule: str
    given: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    @property
    def suggestion(self) -> str | None:
        """A known name close to what was given, or None."""
        for name in self.given:
            near = _nearest(name, self.known)
            if near is not None:
                return f'did you mean "{near}" instead of "{name}"?'
        return None


Found: TypeAlias = list[Problem]
"""What a check appends to, in the engine's order."""


def problem(
    at: At, text: str, rule: str, *, given: Collection[str] = (), known: Collection[str] = ()
) -> Problem:
    """A problem whose message starts with its quoted path, as the engine writes them."""
    path = dotted(at)
    message = f'"{path}" {text}' if path else text
    return Problem(path, message, rule, tuple(given), tuple(known))


def bare_problem(at: At, text: str, rule: str) -> Problem:
    """A problem that the engine words without its path."""
    return Problem(dotted(at), text, rule)


def dotted(at: At) -> str:
    """The place as text: `compound.must[0].text.query`."""
    parts: list[str] = []
    while at is not None:
        at, key = at
        parts.append(f"[{key}]" if isinstance(key, int) else f".{key}")
    return "".join(reversed(parts)).removeprefix(".")


def _nearest(name: str, known: Collection[str]) -> str | None:
    by_lower = {one.lower().replace("_", ""): one for one in known}
    exact = by_lower.get(name.lower().replace("_", ""))
    if exact is not None:
        return exact
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.75 if name.startswith("$") else 0.6)
    return close[0] if close else None
