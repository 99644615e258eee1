"""`atlas-rag index drop`: takes indexes away, and keeps their definitions."""

from __future__ import annotations

from typing import Annotated

import typer

from atlas_rag.cli.index.apply import carry_out
from atlas_rag.cli.index.options import AsJson, Kept, Local, Namespace, Uri, UriFile, kept_file
from atlas_rag.cli.index.session import NOT_WELL, session


def command(
    namespace: Namespace,
    names: Annotated[list[str], typer.Argument(help="Names of indexes.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", help="Really drop; without it the plan is shown.")] = False,
    keep: Kept = None,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Drop search indexes by name; `rollback` brings them back. One that is gone already is no error.

    Example: atlas-rag index drop shop.notes old_index --yes
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.indexes import plan_indexes

        plan = here.run(plan_indexes(namespace, (), drop=names))
        if not yes:
            here.show(plan.to_dict(), f"{plan}\nnothing was changed: say --yes")
            return
        applied = carry_out(here, plan, names, kept_file(keep, namespace))
        lines = [f"dropped {change.name}" for change in applied.done] or ["nothing to drop"]
        here.show(applied.to_dict(), "\n".join([*lines, *([str(applied.error)] if applied.error else [])]))
    raise typer.Exit(0 if applied.complete else NOT_WELL)
