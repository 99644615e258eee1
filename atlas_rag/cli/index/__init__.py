"""`atlas-rag index`: search indexes as code, one file for each command.

Every command takes a namespace (`database.collection`), finds its deployment by `--uri`, `--uri-file` or
`ATLAS_RAG_URI` (never printed; else the in-process engine), prints lines or, with `--json`, one document, and
leaves with 0 where all is well, 1 where it is not, 2 where the call is wrong.
"""

from __future__ import annotations

import typer

from atlas_rag.cli.index import apply, check_documents, drop, plan, rollback, status, wait

app = typer.Typer(no_args_is_help=True, help="Search indexes as code: plan, apply, wait, roll back.")
app.command("apply")(apply.command)
app.command("check-documents")(check_documents.command)
app.command("drop")(drop.command)
app.command("plan")(plan.command)
app.command("rollback")(rollback.command)
app.command("status")(status.command)
app.command("wait")(wait.command)
