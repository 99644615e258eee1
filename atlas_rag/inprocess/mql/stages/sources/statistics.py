"""`$collStats` and `$indexStats`: figures of the collection."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages.context import Measured
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import whole
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render

_SUPPORTED = frozenset({"storageStats", "count"})
_KNOWN = _SUPPORTED | {"latencyStats", "queryExecStats"}


@stage("$collStats", is_source=True, in_facet=False)
def collection_statistics(argument: Any, build: Build) -> Run:
    """One document with the figures asked for; of time and queries none are kept."""
    if not isinstance(argument, Mapping):
        raise CommandError(
            5447000, f"$collStats must take a nested object but found: $collStats: {render(argument)}"
        )
    for name in argument:
        if name not in _KNOWN:
            raise CommandError(40415, f"BSON field '$collStats.{name}' is an unknown field.")
        if name not in _SUPPORTED:
            raise CommandError(115, f"$collStats: {name} is not supported by the in-process engine")
    scale = _scale(argument.get("storageStats", {}))

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        collection = _collection(build)
        if collection is None:
            if "count" in argument or "storageStats" in argument:
                where = f"{build.database or 'the database'}.{build.collection}"
                raise CommandError(
                    26, f"Unable to retrieve count in $collStats stage: {where} does not exist"
                )
            return
        figures = dict(collection.figures(scale))
        entry: dict[str, Any] = {"ns": figures.pop("ns"), "host": socket.gethostname()}
        entry["localTime"] = datetime.now(UTC).replace(tzinfo=None)
        if "storageStats" in argument:
            entry["storageStats"] = figures
        if "count" in argument:
            entry["count"] = figures["count"]
        yield Row(entry)

    return run


def _scale(argument: Any) -> int:
    if not isinstance(argument, Mapping):
        raise CommandError(14, f"storageStats must be an object, not {type_name(argument)}")
    scale = whole(argument.get("scale", 1))
    if scale is None or scale < 1:
        raise CommandError(51024, "storageStats.scale must be a whole number >= 1")
    return scale


@stage("$indexStats", is_source=True, in_facet=False)
def index_statistics(argument: Any, build: Build) -> Run:
    """One document per index."""
    if argument != {}:
        raise CommandError(28803, "The $indexStats stage specification must be an empty object")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        collection = _collection(build)
        for entry in collection.index_figures() if collection is not None else ():
            yield Row(entry)

    return run


def _collection(build: Build) -> Measured | None:
    if build.collection is None:
        return None
    found = build.context.database.collection(build.collection, build.database)
    return found if isinstance(found, Measured) else None
