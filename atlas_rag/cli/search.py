"""`atlas-rag search`: a question to any collection with search indexes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from atlas_rag.cli import places
from atlas_rag.cli.embedders import HELP as EMBEDDER_HELP
from atlas_rag.cli.embedders import embedder_named
from atlas_rag.cli.index.options import AsJson, Local, Namespace, Uri, UriFile
from atlas_rag.cli.recipes import HELP as RECIPE_HELP
from atlas_rag.cli.recipes import recipe as find_recipe
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.errors import CallError, Code

if TYPE_CHECKING:
    from atlas_rag.query.options import ModeName
    from atlas_rag.retriever import Result, Retriever


def command(
    namespace: Namespace,
    question: Annotated[str, typer.Argument(help="What to look for.", show_default=False)],
    recipe: Annotated[str | None, typer.Option(help=f"How to search. {RECIPE_HELP}")] = None,
    mode: Annotated[
        str | None, typer.Option(help="hybrid, vector or keyword; default the recipe's, or what is possible.")
    ] = None,
    filter: Annotated[  # noqa: A002  # the option's name
        str | None, typer.Option(help='What may be found, as JSON: {"team": "billing"}.')
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Hits to show.")] = 5,
    embedder: Annotated[
        str | None, typer.Option(help=f"{EMBEDDER_HELP} Default the recipe's.", show_default=False)
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Tell why: plan, reasons of each hit, times."),
    ] = False,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Ask a collection one question. Leaves with 0 also where nothing is found, and then says why.

    Without a recipe, the search indexes that are there say where vectors and texts are.

    Example: atlas-rag search shop.notes "how long does a refund take" --mode keyword
    """
    condition = None if filter is None else read_filter(filter)
    with places.collection(namespace, uri, local, uri_file) as collection:
        retriever, possible = _retriever(collection, recipe, embedder)
        chosen = cast("ModeName", mode or possible)
        if explain:
            explained = retriever.explain(question, mode=chosen, limit=limit, filter=condition)
            typer.echo(json.dumps(explained.to_dict(), indent=2) if as_json else str(explained))
            return
        result = retriever.retrieve(question, mode=chosen, limit=limit, filter=condition)
    if as_json:
        typer.echo(_as_json(result))
        return
    from atlas_rag.cli.results import result_lines

    typer.echo("\n".join(result_lines(result)))


def read_filter(text: str) -> dict[str, Any]:
    """A filter from the JSON of an option.

    Raises:
        CallError: INVALID_FILTER.
    """
    from bson import json_util

    try:
        found = json_util.loads(text)
    except (ValueError, TypeError) as error:
        raise CallError(f"--filter is no JSON: {error}", code=Code.INVALID_FILTER) from None
    if not isinstance(found, dict):
        raise CallError("--filter is no object", expected='{"field": value}', code=Code.INVALID_FILTER)
    return found


def _retriever(collection: Any, recipe: str | None, embedder: str | None) -> tuple[Retriever, str]:
    """The retriever, and the mode of a call that names none."""
    if recipe is not None:
        found = find_recipe(recipe)
        name = embedder or found.embedder
        made = embedder_named(name) if name else None
        return retriever_of(found, collection, embedder=made), found.mode.value
    from atlas_rag.cli.guessing import retriever_of_indexes

    return retriever_of_indexes(collection, embedder_named(embedder) if embedder else None)


def _as_json(result: Result) -> str:
    from bson import json_util

    hits = [
        {
            "rank": hit.rank,
            "id": hit.id,
            "score": None if hit.score is None else hit.score.value,
            "kind": None if hit.score is None else hit.score.kind.value,
            "ranks": hit.ranks,
            "document": dict(hit.fields),
        }
        for hit in result
    ]
    return json_util.dumps({"hits": hits, "evidence": result.evidence.model_dump(mode="json")}, indent=2)
