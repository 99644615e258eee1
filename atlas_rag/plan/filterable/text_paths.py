"""Which paths a search index holds words of, from its definition alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas_rag.plan.filterable.mapping import place


def unmapped(paths: Iterable[str], definition: Mapping[str, Any]) -> list[str]:
    """Those of the paths where a search for words finds nothing, whatever the documents hold.

    Words inside `embeddedDocuments` are found by their own operator only. What is not understood of a
    definition decides nothing: then the path does not count as unmapped.
    """
    places = {path: place(definition, path) for path in paths}
    return [path for path, found in places.items() if found.known and found.of("string") is None]
