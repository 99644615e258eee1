"""`atlas-rag doctor`: what of this machine and of a deployment is not well, and what to do about it."""

from __future__ import annotations

import json

import typer

from atlas_rag.cli import places
from atlas_rag.cli.index.options import AsJson, Local, Uri, UriFile
from atlas_rag.cli.running import NOT_WELL


def command(uri: Uri = None, uri_file: UriFile = None, local: Local = None, as_json: AsJson = False) -> None:
    """Look at Python, packages and extras, and, where an address is given, at the way to the deployment.

    Changes nothing, prints neither user nor password. Leaves with 1 where something is not well.

    Example: atlas-rag doctor --uri-file /run/secrets/atlas
    """
    from atlas_rag.cli.doctor.deployment import deployment
    from atlas_rag.cli.doctor.environment import environment

    address = places.address(uri, uri_file)
    found = list(environment(places.folder(local)))
    if address:
        found += deployment(address)
    if as_json:
        typer.echo(json.dumps([one.to_dict() for one in found]))
    else:
        typer.echo("\n".join(map(str, found)))
    raise typer.Exit(NOT_WELL if any(one.state == "ill" for one in found) else 0)
