"""`atlas-rag serve`: the in-process engine behind the MongoDB wire protocol, for development and tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

UNUSABLE = 2
"""Exit code: an option cannot be used."""


def command(
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any free one.")] = 27018,
    host: Annotated[str, typer.Option(help="Beyond this machine only with --users.")] = "127.0.0.1",
    path: Annotated[
        Path | None, typer.Option(help="Folder to keep everything in; memory only without.")
    ] = None,
    server_version: Annotated[str, typer.Option(help="7.0, 8.0, 8.2 or 9.0.")] = "8.2",
    index_delay: Annotated[float, typer.Option(min=0, help="Seconds until a new index is queryable.")] = 0.0,
    simulate_loss: Annotated[
        bool, typer.Option("--simulate-loss", help="Approximate vector searches may miss hits.")
    ] = False,
    users: Annotated[
        Path | None, typer.Option(help="JSON file: [{name, password, roles: {database: read|readWrite}}].")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="PEM file for TLS.")] = None,
    key: Annotated[Path | None, typer.Option(help="PEM file of its key.")] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="File for refused, failed and slow commands: JSON lines without any value."),
    ] = None,
) -> None:
    """Serve the in-process engine to any MongoDB driver, until interrupted.

    A development and test server: it keeps no replica, and says so. Example: atlas-rag serve --path data
    """
    from atlas_rag.inprocess.server import Options, User, run_server

    try:
        known = [] if users is None else [User(**one) for one in json.loads(users.read_text("utf-8"))]
        if users is not None and not known:
            raise ValueError(f"{users} names no user; name one, or leave --users out to serve without any")
        options = Options(host=host, port=port, users=known, certificate=certificate, key=key, log=log)
        run_server(
            path,
            server_version=server_version,
            index_delay=index_delay,
            simulate_loss=simulate_loss,
            options=options,
            announce=_announce,
        )
    except (OSError, ValueError, TypeError) as error:
        typer.echo(f"cannot serve: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error


def _announce(uri: str) -> None:
    typer.echo(f"atlas-rag development server (not for production) at {uri}")
