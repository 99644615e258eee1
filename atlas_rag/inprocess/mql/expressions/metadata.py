"""`{$meta: name}`: which names there are, and when asking for one that nobody produced is an error.

Source: the server's own tests of metadata dependencies, one rule per release.
"""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, MissingMetadata, Release, Scope
from atlas_rag.inprocess.mql.values import MISSING

# Names the server calls differently in its refusals.
_WORDING = {
    "textScore": "text score",
    "geoNearDistance": "$geoNear distance",
    "geoNearPoint": "$geoNear point",
    "sortKey": "sort key",
}
FLOORS: dict[str, Release] = {
    "textScore": (0, 0),
    "randVal": (0, 0),
    "searchScore": (0, 0),
    "searchHighlights": (0, 0),
    "geoNearDistance": (0, 0),
    "geoNearPoint": (0, 0),
    "recordId": (0, 0),
    "indexKey": (0, 0),
    "sortKey": (0, 0),
    "searchScoreDetails": (0, 0),
    "searchSequenceToken": (6, 0),
    "searchRootDocumentId": (8, 2),
    "vectorSearchScore": (6, 0),
    "score": (8, 1),
    "scoreDetails": (8, 1),
}
_ALWAYS_VALIDATED = frozenset({"score", "scoreDetails", "textScore"})
# 8.1 alone also refused the scores of search stages that were never run; 8.2 only logs them.
_SEARCH_SCORES = frozenset({"searchScore", "vectorSearchScore"})
SORTABLE = frozenset({"searchScore", "vectorSearchScore", "score", "textScore", "geoNearDistance", "randVal"})


def compile_meta(argument: Any, scope: Scope) -> Evaluate:
    """Compiles `{$meta: name}`. Raises 17307, 17308 (unknown name), 40218 (nobody produces it)."""
    if not isinstance(argument, str):
        raise CommandError(17307, "$meta only supports string arguments")
    check_meta(argument, scope)
    if argument == "sortKey":
        return lambda row, _: row.meta.get("sortKey", [])
    return lambda row, _: row.meta.get(argument, MISSING)


def check_meta(name: str, scope: Scope) -> None:
    """Checks that the release knows the name, and that a stage before produces it where that matters."""
    if name not in FLOORS or FLOORS[name] > scope.release:
        raise CommandError(17308, f"Unsupported argument to $meta: {name}")
    if name in scope.metadata or not (scope.checks_metadata and _is_validated(name, scope)):
        return
    text = f"query requires {_WORDING.get(name, name)} metadata, but it is not available"
    raise MissingMetadata(40218, text)


def _is_validated(name: str, scope: Scope) -> bool:
    if name.startswith("geoNear"):
        return scope.metadata.isdisjoint(_SEARCH_SCORES)
    if name == "sortKey":
        return scope.release >= (8, 1)
    return name in _ALWAYS_VALIDATED or (name in _SEARCH_SCORES and scope.release == (8, 1))
