"""How operators name the fields they look at.

- one plain string: `equals`, `exists`, `autocomplete`, `embeddedDocument`, `facet`, `$vectorSearch`
- field paths, one or many: `near`, `range`, `in`, `geoWithin`, `geoShape`, `knnBeta`, `vectorSearch`
- text paths, one or many, with alternative analyzers and wildcards: `text`, `phrase`, `regex`, `wildcard`,
  `highlight`

Names themselves are free: empty, dotted at the end and `$` names are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    Document,
    DocumentOr,
    OneOrMany,
    Rule,
    Text,
    field,
    is_array,
    is_string,
    required,
)
from atlas_rag.grammar.problem import At, Found, problem

_WORDS: Final = "document or string"


def _multi_complaint(name: str) -> str | None:
    return 'cannot contain "."' if "." in name else None


def _wildcard_complaint(pattern: str) -> str | None:
    if "*" not in pattern:
        return 'must contain a "*"'
    return 'cannot contain more than 1 "*" next to each other' if "**" in pattern else None


def _no_multi(document: Mapping[str, Any], at: At, found: Found) -> None:
    if document.get("multi") is not None:
        found.append(problem(at, "multi field not permitted for this operator", "path"))


def _no_multi_beside_wildcard(document: Mapping[str, Any], at: At, found: Found) -> None:
    if document.get("multi") is not None:
        found.append(problem(at, "multi cannot be defined along with wildcard", "path"))


_MULTI: Final = field("multi", Text(also=_multi_complaint))
_WILDCARD: Final = field("wildcard", Text(also=_wildcard_complaint))
_BY_WILDCARD: Final = Document(_WILDCARD, _MULTI, Rule(_no_multi_beside_wildcard, "multi"))
_BY_VALUE: Final = Document(required("value", Text()), _MULTI, _WILDCARD)


class _TextPath:
    """`{wildcard}` where a wildcard is given, else `{value, multi}`."""

    def check(self, value: Any, at: At, found: Found) -> None:
        by = _BY_VALUE if value.get("wildcard") is None else _BY_WILDCARD
        by.check(value, at, found)


PLAIN_PATH: Final = Text()
FIELD_PATH: Final = DocumentOr(
    is_string, Text(), Document(required("value", Text()), _MULTI, Rule(_no_multi, "multi")), _WORDS
)
FIELD_PATHS: Final = OneOrMany(FIELD_PATH, empty=False)
TEXT_PATHS: Final = OneOrMany(DocumentOr(is_string, Text(), _TextPath(), _WORDS), empty=False)


def paths_in(value: Any) -> Iterator[str]:
    """The names, values and patterns of a sound path in any of its forms."""
    for one in value if is_array(value) else (value,):
        if is_string(one):
            yield one
        else:
            yield one["value"] if one.get("wildcard") is None else one["wildcard"]


def has_wildcard(value: Any) -> bool:
    """Whether a sound path, or one of many, is a wildcard."""
    ones = value if is_array(value) else (value,)
    return any(not is_string(one) and one.get("wildcard") is not None for one in ones)
