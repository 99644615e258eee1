"""`atlas-rag playground`: a page with a slider for each weight."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atlas_rag.cli import places
from atlas_rag.cli.embedders import embedder_named
from atlas_rag.cli.index.options import Local, Uri, UriFile
from atlas_rag.cli.recipes import HELP, retriever_of
from atlas_rag.cli.recipes import recipe as find_recipe
from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.recipes import Recipe

LOOPBACK = "127.0.0.1"


def command(
    recipes: Annotated[list[str] | None, typer.Argument(help=f"One or more. {HELP}")] = None,
    namespace: Annotated[str | None, typer.Option(help="database.collection of a deployment.")] = None,
    port: Annotated[int, typer.Option(help="0 takes a free one.", min=0, max=65535)] = 8765,
    host: Annotated[str, typer.Option(help="Another address than loopback needs --token.")] = LOOPBACK,
    token: Annotated[str | None, typer.Option(help="What ?token= has to say.")] = None,
    judgments: Annotated[Path, typer.Option(help="Folder of what is marked; `tune` reads it.")] = Path(
        "judgments"
    ),
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
) -> None:
    """Serve a page: a question, the list of each input pipeline, and sliders that fuse them anew at once.

    Without a deployment it asks the demo's handbook in process. It only reads; marks go to a folder here.

    Example: atlas-rag playground hybrid --namespace shop.notes --uri "$URI"
    """
    if host != LOOPBACK and token is None:
        raise CallError(
            f"The playground would be open to {host}",
            expected="loopback, or a token",
            next_step="pass --token",
        )
    try:
        import uvicorn

        from atlas_rag.playground.app import make_app
    except ModuleNotFoundError as error:
        raise CallError(
            f"The playground needs {error.name}", next_step='pip install "atlas-rag[playground]"'
        ) from None
    from atlas_rag.playground.judgments import Judgments

    found = [find_recipe(one) for one in recipes or ["handbook"]]
    with ExitStack() as open_:
        collection, embedder = _target(open_, found[0], namespace, uri, uri_file, local)
        tables = [_table(one, collection, embedder) for one in found]
        app = make_app(tables, Judgments(judgments), token=token)
        where = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
        typer.echo(f"playground of {', '.join(one.id for one in found)} at {where} (Ctrl-C ends it)")
        uvicorn.run(app, host=host, port=port, log_level="warning")


def _target(
    open_: ExitStack,
    recipe: Recipe,
    namespace: str | None,
    uri: str | None,
    uri_file: Path | None,
    local: Path | None,
) -> tuple[Any, Any]:
    """The collection and the embedder of its vectors: a deployment's, or the demo's handbook in process."""
    if namespace is not None:
        collection = open_.enter_context(places.collection(namespace, uri, local, uri_file))
        return collection, embedder_named(recipe.embedder) if recipe.embedder else None
    from atlas_rag import LocalClient
    from atlas_rag.demo import COLLECTION, DATABASE, HandbookEmbedder, prepare

    embedder: Any = HandbookEmbedder()
    collection = open_.enter_context(LocalClient())[DATABASE][COLLECTION]
    prepare(collection, embedder)
    return collection, embedder


def _table(recipe: Recipe, collection: Any, embedder: Any) -> Any:
    from atlas_rag.playground.asking import Table

    return Table(recipe, retriever_of(recipe, collection, embedder=embedder))
