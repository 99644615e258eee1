"""Runs flows on the collection that a command names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from atlas_rag.cli import places
from atlas_rag.cli.running import NOT_WELL
from atlas_rag.errors import SearchIndexError, ServerError

if TYPE_CHECKING:
    from atlas_rag.wire import Engine, Flow

__all__ = ["NOT_WELL", "Session", "session"]
Result = TypeVar("Result")


class Session:
    """One open deployment and one collection of it."""

    def __init__(self, engine: Engine, as_json: bool) -> None:
        self._engine, self.as_json = engine, as_json
        self.namespace = engine.namespace

    def run(self, flow: Flow[Result]) -> Result:
        """The result of a flow."""
        from atlas_rag.wire import drive

        return drive(flow, self._engine)

    def exists(self) -> bool:
        """Whether the collection is there; True where that cannot be told: the next command tells more."""
        try:
            return self.run(_listed(self.namespace.partition(".")[2]))
        except ServerError:
            return True

    def need_collection(self, next_step: str) -> None:
        """Refuses a collection that is not there.

        Raises:
            SearchIndexError: INDEX_MISSING.
        """
        if not self.exists():
            raise SearchIndexError(
                f"There is no collection {self.namespace}",
                expected="a collection with documents",
                next_step=next_step,
            )

    def show(self, document: Any, text: str) -> None:
        """Prints one JSON document, or lines."""
        typer.echo(json.dumps(document, default=str) if self.as_json else text)


def _listed(collection: str) -> Flow[bool]:
    from atlas_rag.wire import Command

    reply = yield Command({"listCollections": 1, "filter": {"name": collection}, "nameOnly": True})
    return any(row.get("name") == collection for row in reply.documents)


@contextmanager
def session(
    namespace: str, uri: str | None, uri_file: Path | None, local: Path | None, as_json: bool
) -> Iterator[Session]:
    """Opens the deployment and the collection."""
    from atlas_rag.drivers.choose import engine_for

    with places.collection(namespace, uri, local, uri_file) as collection:
        yield Session(engine_for(collection), as_json)
