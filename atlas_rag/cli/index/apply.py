"""`atlas-rag index apply`: carries a plan out, waits for it, and keeps what was there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atlas_rag.cli.index.options import (
    AsJson,
    Definitions,
    Kept,
    Local,
    Namespace,
    RecipeName,
    Timeout,
    Uri,
    UriFile,
    kept_file,
    wanted_indexes,
)
from atlas_rag.cli.index.plan import CREATE_IT, show_plan
from atlas_rag.cli.index.session import NOT_WELL, Session, session
from atlas_rag.cli.index.watching import watching

if TYPE_CHECKING:
    from atlas_rag.indexes import Applied, IndexPlan, WantedIndex


def command(
    namespace: Namespace,
    definitions: Definitions = None,
    recipe: RecipeName = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="Index whose dangerous change is wanted; can be repeated.")
    ] = None,
    tier: Annotated[str | None, typer.Option(help="Check the limits of free, flex or dedicated.")] = None,
    elsewhere: Annotated[int, typer.Option(min=0, help="Search indexes of other collections.")] = 0,
    create_collection: Annotated[
        bool, typer.Option("--create-collection", help="Make the collection where it is missing.")
    ] = False,
    wait: Annotated[bool, typer.Option(help="Wait until everything can be queried.")] = True,
    timeout: Timeout = 300.0,
    keep: Kept = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, change nothing.")] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Create and update indexes until they are as defined. Running it again changes nothing.

    Example: atlas-rag index apply shop.notes --recipe hybrid --uri-file /run/secrets/atlas
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag import indexes

        wanted = wanted_indexes(definitions, recipe)
        limits = None if tier is None else indexes.tier(tier)
        plan = here.run(indexes.plan_indexes(namespace, wanted, limits=limits, elsewhere=elsewhere))
        if dry_run:
            show_plan(here, plan)
            return
        if plan.pending and not create_collection:
            here.need_collection(CREATE_IT)
        applied = carry_out(here, plan, allow or (), kept_file(keep, namespace), create_collection)
        report: dict[str, Any] = applied.to_dict()
        if applied.complete and wait:
            report["states"] = _wait(here, wanted, timeout)
        here.show(report, _as_text(applied, report.get("states")))
    raise typer.Exit(0 if applied.complete else NOT_WELL)


def carry_out(
    here: Session,
    plan: IndexPlan,
    allow: list[str] | tuple[str, ...],
    kept: Path,
    create_collection: bool = False,
) -> Applied:
    """Applies a plan after what is there has been written down; see `Previous.followed_by`."""
    from atlas_rag.indexes import Previous, apply_plan

    previous = Previous.of(plan.namespace, plan.pending)
    if kept.exists():
        previous = Previous.read(kept).followed_by(previous)
    if plan.pending and not set(plan.dangers) - set(allow):
        previous.write(kept)
    applied = here.run(apply_plan(plan, allow=allow, create_collection=create_collection))
    if plan.pending and applied.complete:
        previous.closed().write(kept)
    return applied


def _wait(here: Session, wanted: tuple[WantedIndex, ...], timeout: float) -> dict[str, str]:
    from atlas_rag.indexes import wait_for_indexes

    with watching() as progress:
        states = here.run(wait_for_indexes(here.namespace, wanted, timeout=timeout, progress=progress))
    return {state.name: state.status for state in states}


def _as_text(applied: Applied, states: dict[str, str] | None) -> str:
    lines = [f"{change.action.value} {change.name}" for change in applied.done]
    if applied.failed is None and not lines:
        lines = ["nothing to change"]
    elif applied.failed is not None:
        lines += [f"failed: {applied.failed.name}: {applied.error}"]
        lines += [f"not begun: {change.name}" for change in applied.left]
    if states is not None:
        lines.append("can be queried: " + ", ".join(states))
    return "\n".join(lines)
