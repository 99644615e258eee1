"""`storedSource`: which fields the index keeps to return without a look-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    Boolean,
    Document,
    DocumentOr,
    ListOf,
    Node,
    Rule,
    Text,
    exactly_one,
    field,
)
from atlas_rag.grammar.problem import At, Found, bare_problem, problem


def _no_collision(stored: Mapping[str, Any], at: At, found: Found) -> None:
    paths = stored.get("include") or stored.get("exclude") or []
    if any(_above(path, other) for path in paths for other in paths):
        found.append(problem(at, "path collision is not allowed", "path"))


def _above(path: str, other: str) -> bool:
    return other.startswith(f"{path}.")


_PATHS: Final = ListOf(Text(blank=False), empty=False)
_CHOICE: Final = Document(
    exactly_one(field("include", _PATHS), field("exclude", _PATHS)), Rule(_no_collision, "include", "exclude")
)


class _NotTrue:
    """Vector indexes never keep whole documents."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if value is True:
            text = (
                "storedSource: true is not supported for vector indexes. "
                "Accepted values are include, exclude, or false."
            )
            found.append(bare_problem(at, text, "stored-source"))


def _stored_source(switch: Node) -> DocumentOr:
    return DocumentOr(lambda value: isinstance(value, bool), switch, _CHOICE, "boolean or document")


STORED_SOURCE: Final = field("storedSource", _stored_source(Boolean()))
VECTOR_STORED_SOURCE: Final = field("storedSource", _stored_source(_NotTrue()))
