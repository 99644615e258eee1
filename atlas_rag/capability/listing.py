"""The rows of `$listSearchIndexes`, read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from atlas_rag.capability.report import SearchIndex
from atlas_rag.errors import ReplyError


def read_indexes(documents: Iterable[Mapping[str, Any]]) -> tuple[SearchIndex, ...]:
    """The indexes by name."""
    return tuple(sorted(map(read_index, newest(documents)), key=lambda index: index.name))


def newest(documents: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One row for each name: an index that is still going gives way to the new one of its name."""
    rows: dict[Any, Mapping[str, Any]] = {}
    for row in documents:
        name = row.get("name")
        if name not in rows or row.get("status") != "DELETING":
            rows[name] = row
    return list(rows.values())


def read_index(row: Mapping[str, Any]) -> SearchIndex:
    """One row; where an engine omits the type, the definition shows it.

    Raises:
        ReplyError: UNEXPECTED_REPLY, it has no name or an unknown type.
    """
    definition = row.get("latestDefinition") or {}
    kind = row.get("type") or ("vectorSearch" if "fields" in definition else "search")
    if "name" not in row or kind not in ("search", "vectorSearch"):
        raise ReplyError("A search index has no name or an unknown type", expected="name and type")
    return SearchIndex(
        name=row["name"],
        type=kind,
        status=str(row.get("status", "UNKNOWN")),
        queryable=bool(row.get("queryable", False)),
        definition=definition,
    )
