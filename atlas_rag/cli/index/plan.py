"""`atlas-rag index plan`: what applying would change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from atlas_rag.cli.index.options import (
    AsJson,
    Definitions,
    Local,
    Namespace,
    RecipeName,
    Uri,
    UriFile,
    wanted_indexes,
)
from atlas_rag.cli.index.session import NOT_WELL, Session, session

if TYPE_CHECKING:
    from atlas_rag.indexes import IndexPlan

CREATE_IT = "load documents first, or say --create-collection"


def command(
    namespace: Namespace,
    definitions: Definitions = None,
    recipe: RecipeName = None,
    drop: Annotated[list[str] | None, typer.Option(help="Index to be dropped; can be repeated.")] = None,
    tier: Annotated[str | None, typer.Option(help="Check the limits of free, flex or dedicated.")] = None,
    elsewhere: Annotated[int, typer.Option(min=0, help="Search indexes of other collections.")] = 0,
    check: Annotated[bool, typer.Option("--check", help="Leave with 1 if anything would change.")] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Compare definitions with what is there. Changes nothing.

    Example: atlas-rag index plan shop.notes --definitions pipelines/indexes --check
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag import indexes

        wanted = wanted_indexes(definitions, recipe) if definitions or recipe or not drop else ()
        limits = None if tier is None else indexes.tier(tier)
        found = here.run(
            indexes.plan_indexes(namespace, wanted, drop=drop or (), limits=limits, elsewhere=elsewhere)
        )
        show_plan(here, found)
    raise typer.Exit(NOT_WELL if check and found.pending else 0)


def show_plan(here: Session, plan: IndexPlan) -> None:
    """Prints the changes, and whether the collection is there at all."""
    exists = here.exists()
    note = "" if exists else f"\n  there is no collection {plan.namespace}: {CREATE_IT}"
    here.show({**plan.to_dict(), "collection_exists": exists}, f"{plan}{note}")
