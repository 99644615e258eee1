"""`atlas-rag index rollback`: back to the definitions that `apply` or `drop` found."""

from __future__ import annotations

from typing import Annotated

import typer

from atlas_rag.cli.index.options import AsJson, Kept, Local, Namespace, Uri, UriFile, kept_file
from atlas_rag.cli.index.session import session


def command(
    namespace: Namespace,
    keep: Kept = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what was kept, change nothing.")] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Bring back what was there before the last change. Running it again changes nothing.

    Example: atlas-rag index rollback shop.notes
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.errors import CallError
        from atlas_rag.indexes import Previous, rollback

        previous = Previous.read(kept_file(keep, namespace))
        if previous.namespace != namespace:
            raise CallError(f"The file speaks of {previous.namespace}", expected=namespace)
        if dry_run:
            names = [f"{name}: {'as before' if index else 'none'}" for name, index in previous.indexes]
            here.show(previous.to_dict(), "\n".join(names))
            return
        lines = here.run(rollback(previous))
        here.show({"namespace": namespace, "done": lines}, "\n".join(lines) or "nothing to change")
