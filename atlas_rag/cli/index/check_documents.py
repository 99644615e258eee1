"""`atlas-rag index check-documents`: what would silently not be found."""

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
from atlas_rag.cli.index.session import NOT_WELL, session

if TYPE_CHECKING:
    from atlas_rag.indexes import Problem


def command(
    namespace: Namespace,
    definitions: Definitions = None,
    recipe: RecipeName = None,
    sample: Annotated[int, typer.Option(min=1, help="Documents to look at.")] = 1000,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Look at a sample of the documents through the eyes of the indexes. Leaves with 1 if anything is wrong.

    Without definitions, through those of the indexes that are there. Nothing to look at is wrong too.

    Example: atlas-rag index check-documents shop.notes --sample 5000
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.indexes import WantedIndex, check_documents, list_states

        here.need_collection("load documents first")
        if definitions or recipe:
            wanted = wanted_indexes(definitions, recipe)
        else:
            states = here.run(list_states(namespace.partition(".")[2])).values()
            wanted = tuple(WantedIndex(one.name, one.type, one.definition) for one in states)
        read, problems = here.run(check_documents(namespace, wanted, sample=sample))
        document = {"read": read, "problems": [problem.to_dict() for problem in problems]}
        checked = bool(read and wanted)
        summary = f"{read} documents, {len(wanted)} indexes, {len(problems)} kinds of problems"
        nothing = [] if checked else ["  nothing was checked: load documents and apply definitions first"]
        here.show(document, "\n".join([summary, *nothing, *map(_as_text, problems)]))
    raise typer.Exit(0 if checked and not problems else NOT_WELL)


def _as_text(problem: Problem) -> str:
    examples = ", ".join(str(one) for one in problem.examples)
    where = f"{problem.index} {problem.path}"
    return f"  {problem.count} × {where}: {problem.problem}\n      such as {examples}; {problem.fix}"
