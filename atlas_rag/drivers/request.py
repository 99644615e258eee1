"""A command as the drivers take it: aggregations go through the collection, so that reads are retried."""

from __future__ import annotations

from typing import Any, NamedTuple

from bson.codec_options import DEFAULT_CODEC_OPTIONS
from pymongo import ReadPreference
from pymongo.read_concern import ReadConcern

from atlas_rag.wire.command import Command


class Aggregate(NamedTuple):
    """Arguments of a driver's `aggregate`. No option is ever None: servers refuse null."""

    collection: str
    pipeline: list[dict[str, Any]]
    options: dict[str, Any]


def as_aggregate(command: Command) -> Aggregate | None:
    """The command as an aggregation, or None if it is another command.

    A batch of `max_rows + 1` is one round trip: the server then knows that nothing is left. A getMore would
    not be retried by any driver.
    """
    if command.name != "aggregate":
        return None
    options: dict[str, Any] = {"maxTimeMS": command.time_limit_ms}
    if "comment" in command.body:
        options["comment"] = command.body["comment"]
    if command.max_rows is not None:
        options["batchSize"] = command.max_rows + 1
    return Aggregate(command.body["aggregate"], list(command.body["pipeline"]), options)


def is_listing(aggregate: Aggregate) -> bool:
    """Whether it lists search indexes: a read of the catalog, on the primary and without a read concern."""
    return bool(aggregate.pipeline) and "$listSearchIndexes" in aggregate.pipeline[0]


CATALOG: dict[str, Any] = {
    "codec_options": DEFAULT_CODEC_OPTIONS,  # the answer is for a report, whatever documents are read as
    "read_concern": ReadConcern(),
    "read_preference": ReadPreference.PRIMARY,
}
"""Options of a collection for such a read."""


def target(collection: Any, aggregate: Aggregate) -> Any:
    """What to aggregate on: the caller's own collection, with its options, or another of its database."""
    own = aggregate.collection == collection.name
    found = collection if own else collection.database[aggregate.collection]
    return found.with_options(**CATALOG) if is_listing(aggregate) else found


def as_text(address: tuple[str, int | None] | None) -> str:
    """The `host:port` of a driver's address."""
    if address is None:
        return ""
    host, port = address
    return host if port is None else f"{host}:{port}"


TIMELESS = frozenset(
    {"createSearchIndexes", "updateSearchIndex", "dropSearchIndex", "create", "buildInfo", "hello", "ping"}
)
"""Commands that are sent without `maxTimeMS`."""


def as_command(command: Command) -> dict[str, Any]:
    """The command document, with its time limit where the command takes one."""
    document = dict(command.body)
    if command.name not in TIMELESS:
        document["maxTimeMS"] = command.time_limit_ms
    return document
