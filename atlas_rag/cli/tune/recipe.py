"""`atlas-rag tune RECIPE`: the weights of a recipe, and its next version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from atlas_rag.cli import places
from atlas_rag.cli.embedders import embedder_named
from atlas_rag.cli.tune.text import as_text, say
from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.recipes import Recipe
    from atlas_rag.tuning.data import QuerySet, Runs
    from atlas_rag.tuning.procedure import Tuning

WORSE = 1
"""Exit code: what is recommended is worse than what is in use by more than allowed."""
DATABASE = "recipes"
"""Database of the in-process engine that holds the documents of files."""
DOCUMENTS = ("corpus.jsonl", "corpus.csv", "articles.csv", "documents.jsonl", "documents.csv")


def tune(
    recipe: Recipe,
    queries: Path,
    judgments: Path,
    *,
    data: Path | None,
    runs: list[Path],
    namespace: str | None,
    uri: str | None,
    condition: str | None,
    embedder: str | None,
    fusions: list[str],
    measure: str,
    depth: int,
    out: Path | None,
    write: Path | None,
    fail_if_worse: float | None,
    as_json: bool,
) -> None:
    """Tunes a recipe, writes the report and the next version; see `atlas-rag tune run`."""
    from atlas_rag.recipes.writing import check_free, write_recipe
    from atlas_rag.tuning.recipe import next_version, read_judgments, read_queries, tune_recipe
    from atlas_rag.tuning.report import write_report
    from atlas_rag.tuning.report.context import Context
    from atlas_rag.tuning.report.files import weights_document

    file = write or Path(f"{recipe.name}-{recipe.version + 1}.toml")
    check_free(file)  # before the long work
    asked = read_queries(queries)
    graded = read_judgments(judgments, asked)
    found, latency = _runs(recipe, asked, data, runs, namespace, uri, condition, embedder, depth)
    tuned = tune_recipe(recipe, found, asked, graded, fusions=fusions, measure=measure)
    facts = {"queries_digest": _digest(queries), "judgments_digest": _digest(judgments)}
    content = next_version(recipe, tuned, facts)
    folder = out or places.folder() / "reports" / recipe.name
    shown = Context(
        title=recipe.id, texts={query.id: query.text for query in asked}, facts=facts, latency=latency
    )
    files = write_report(folder, tuned, shown)
    write_recipe(file, content)
    if as_json:
        document = {
            **weights_document(tuned, facts),
            "recipe": content,
            "files": [str(file), *map(str, files)],
        }
        typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join([*as_text(tuned), f"report: {files[0]}", f"next version: {file}"]))
    if fail_if_worse is not None and _change(tuned) < -fail_if_worse:
        raise typer.Exit(WORSE)


def _runs(
    recipe: Recipe,
    asked: QuerySet,
    data: Path | None,
    runs: list[Path],
    namespace: str | None,
    uri: str | None,
    condition: str | None,
    embedder: str | None,
    depth: int,
) -> tuple[Runs, Mapping[str, float]]:
    """Runs of the recipe's input pipelines, and the median seconds of a request of each."""
    from atlas_rag.tuning.recipe import collect_runs, load_files, read_runs

    if runs:
        return read_runs(runs, recipe), {}
    name = embedder or recipe.embedder
    made = embedder_named(name) if name else None
    with _collection(recipe, data, namespace, uri) as collection:
        if data is not None:
            say("load and index")
            typer.echo(str(load_files(recipe, collection, _documents(data), made)), err=True)
        say("collect")
        given = None if condition is None else json.loads(condition)
        collected = collect_runs(recipe, collection, asked, embedder=made, filter=given, depth=depth)
    return collected.runs, {name: one.p50 for name, one in collected.latency.items()}


@contextmanager
def _collection(recipe: Recipe, data: Path | None, namespace: str | None, uri: str | None) -> Iterator[Any]:
    if data is None and namespace is None:
        raise CallError(
            "There is nothing that the recipe could be tuned on",
            expected="--data FOLDER, --namespace DB.COLLECTION, or --runs FILE for each input pipeline",
            next_step="name one of them",
        )
    if namespace is not None:
        with places.collection(namespace, uri) as collection:
            yield collection
        return
    from atlas_rag import LocalClient

    with LocalClient(places.folder() / "tune") as client:
        yield client[DATABASE][recipe.name]


def _documents(data: Path) -> Path:
    if data.is_file():
        return data
    found = next((data / name for name in DOCUMENTS if (data / name).is_file()), None)
    if found is None:
        raise CallError(
            f"The folder {data.name!r} holds no documents",
            expected=f"one of {', '.join(DOCUMENTS)}",
            next_step="name the file itself with --data",
        )
    return found


def _digest(file: Path) -> str:
    import hashlib

    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def _change(tuned: Tuning) -> float:
    """Mean difference of what is recommended to what is in use, over the queries that were tuned on."""
    current = tuned.current.per_query(tuned.settings.current or {})[:, 0]
    return float((tuned.problem.per_query(tuned.weights)[:, 0] - current).mean())
