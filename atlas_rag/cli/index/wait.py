"""`atlas-rag index wait`: until every index answers with its definition."""

from __future__ import annotations

from atlas_rag.cli.index.options import (
    AsJson,
    Definitions,
    Local,
    Namespace,
    RecipeName,
    Timeout,
    Uri,
    UriFile,
    wanted_indexes,
)
from atlas_rag.cli.index.session import session
from atlas_rag.cli.index.watching import watching


def command(
    namespace: Namespace,
    definitions: Definitions = None,
    recipe: RecipeName = None,
    timeout: Timeout = 300.0,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Wait until the indexes can be queried as defined; a failure ends it at once, with the server's reason.

    Example: atlas-rag index wait shop.notes --recipe hybrid --timeout 600
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.indexes import wait_for_indexes

        wanted = wanted_indexes(definitions, recipe)
        with watching() as progress:
            found = here.run(wait_for_indexes(namespace, wanted, timeout=timeout, progress=progress))
        states = {state.name: state.status for state in found}
        here.show(states, "can be queried: " + ", ".join(states))
