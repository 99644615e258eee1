"""Runs flows on the collection that a command names, and says what went wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from atlas_rag.cli import places
from atlas_rag.errors import AtlasRagError, CallError

if TYPE_CHECKING:
    from atlas_rag.wire import Engine, Flow

Result = TypeVar("Result")
NOT_WELL, WRONG_CALL = 1, 2
"""Exit codes."""


class Session:
    """One open deployment and one collection of it."""

    def __init__(self, engine: Engine, as_json: bool) -> None:
        self._engine, self.as_json = engine, as_json
        self.namespace = engine.namespace

    def run(self, flow: Flow[Result]) -> Result:
        """The result of a flow."""
        from atlas_rag.wire import drive

        return drive(flow, self._engine)

    def show(self, document: Any, text: str) -> None:
        """Prints one JSON document, or lines."""
        typer.echo(json.dumps(document, default=str) if self.as_json else text)


@contextmanager
def session(
    namespace: str, uri: str | None, uri_file: Path | None, local: Path | None, as_json: bool
) -> Iterator[Session]:
    """Opens the deployment; errors of this library end the command with a message and its exit code."""
    try:
        database, dot, collection = namespace.partition(".")
        if not (database and dot and collection):
            raise CallError(f"The namespace is {namespace!r}", expected="database.collection")
        from atlas_rag.drivers.choose import engine_for

        with places.client(uri, local, uri_file) as client:
            yield Session(engine_for(client[database][collection]), as_json)
    except AtlasRagError as error:
        report_error(error, as_json)
        raise typer.Exit(WRONG_CALL if isinstance(error, CallError) else NOT_WELL) from error


def report_error(error: AtlasRagError, as_json: bool) -> None:
    """Tells an error: a document on standard output for machines, a line on standard error for people."""
    if as_json:
        typer.echo(json.dumps({"error": int(error.code), "name": error.code.name, "message": str(error)}))
    else:
        typer.echo(str(error), err=True)
