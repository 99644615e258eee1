"""`atlas-rag index status`: the search indexes of a collection, and their state."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from atlas_rag.cli.index.options import AsJson, Local, Namespace, Uri, UriFile
from atlas_rag.cli.index.session import NOT_WELL, session

if TYPE_CHECKING:
    from atlas_rag.indexes import IndexState


def command(
    namespace: Namespace,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """List the search indexes of a collection. Leaves with 1 if one cannot be queried or has failed.

    Example: atlas-rag index status shop.notes --json
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.indexes import list_states

        here.need_collection("check the name")
        states = list(here.run(list_states(namespace.partition(".")[2])).values())
        lines = [f"{namespace}: {len(states)} search indexes", *map(_as_line, states)]
        here.show([asdict(state) for state in states], "\n".join(lines))
    well = all(state.queryable and state.status != "FAILED" for state in states)
    raise typer.Exit(0 if well else NOT_WELL)


def _as_line(state: IndexState) -> str:
    version = "" if state.version is None else f", version {state.version}"
    message = f": {state.message}" if state.message else ""
    answers = "can be queried" if state.queryable else "cannot be queried"
    return f"  {state.name} ({state.type}{version}) {state.status}, {answers}{message}"
