"""`atlas-rag tune FILE` tunes a recipe or runs an experiment; others look at earlier runs."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from atlas_rag.cli.tune import diff, history, init, run


class _FileFirst(TyperGroup):
    """A group whose first word may also be an experiment file: then it is run."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ("--help", "--show-completion"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_FileFirst, no_args_is_help=True, help="Fusion weights: tune, and compare runs.")
app.command("run")(run.command)
app.command("history")(history.command)
app.command("diff")(diff.command)
app.command("init")(init.command)
