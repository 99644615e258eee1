"""Which string fields a search index holds, from its definition alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

TEXT_TYPES = frozenset({"string", "autocomplete"})
INSIDE = frozenset({"document", "embeddedDocuments"})


def unmapped(paths: Iterable[str], definition: Mapping[str, Any]) -> list[str]:
    """Those of the paths where a search for words finds nothing, whatever the documents hold.

    A definition that is of no known form decides nothing: then no path counts as unmapped.
    """
    mappings = definition.get("mappings")
    if not isinstance(mappings, Mapping):
        return []
    return [path for path in paths if not _holds_text(path.split("."), mappings)]


def _holds_text(parts: list[str], level: Mapping[str, Any]) -> bool:
    name, *rest = parts
    fields = level.get("fields")
    given = fields.get(name) if isinstance(fields, Mapping) else None
    if given is None:
        return bool(level.get("dynamic", False))
    types = given if isinstance(given, list) else [given]
    known = [one for one in types if isinstance(one, Mapping)]
    if rest:
        return any(_holds_text(rest, one) for one in known if one.get("type") in INSIDE)
    return any(one.get("type") in TEXT_TYPES for one in known)
