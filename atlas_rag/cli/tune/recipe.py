"""`atlas-rag tune RECIPE`: the weights of a recipe, and its next version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from atlas_rag.cli import places
from atlas_rag.cli.embedders import embedder_named
from atlas_rag.cli.search import read_filter
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


@dataclass(frozen=True)
class Asked:
    """What the command was told; see `atlas-rag tune run`."""

    recipe: Recipe
    queries: Path
    judgments: Path
    data: Path | None
    runs: Sequence[Path]
    namespace: str | None
    uri: str | None
    condition: str | None
    embedder: str | None
    fusions: Sequence[str]
    measure: str
    depth: int
    out: Path | None
    write: Path | None
    fail_if_worse: float | None
    as_json: bool


def tune(asked: Asked) -> None:
    """Tunes a recipe, writes the report and the next version."""
    from atlas_rag.recipes.writing import check_free, write_recipe
    from atlas_rag.tuning.recipe import next_version, read_judgments, read_queries, tune_recipe

    recipe = asked.recipe
    file = asked.write or Path(f"{recipe.name}-{recipe.version + 1}.toml")
    check_free(file)  # before the long work
    queries = read_queries(asked.queries)
    judgments = read_judgments(asked.judgments, queries)
    runs, latency = _runs(asked, queries)
    tuned = tune_recipe(recipe, runs, queries, judgments, fusions=asked.fusions, measure=asked.measure)
    facts = {"queries_digest": _digest(asked.queries), "judgments_digest": _digest(asked.judgments)}
    content = next_version(recipe, tuned, facts)
    files = _reported(asked, tuned, queries, facts, latency)
    write_recipe(file, content)
    typer.echo(_told(asked, tuned, content, facts, [file, *files]))
    if asked.fail_if_worse is not None and _change(tuned) < -asked.fail_if_worse:
        raise typer.Exit(WORSE)


def _reported(
    asked: Asked, tuned: Tuning, queries: QuerySet, facts: Mapping[str, Any], latency: Mapping[str, float]
) -> Sequence[Path]:
    from atlas_rag.tuning.report import write_report
    from atlas_rag.tuning.report.context import Context

    texts = {query.id: query.text for query in queries}
    shown = Context(title=asked.recipe.id, texts=texts, facts=facts, latency=latency)
    return write_report(asked.out or places.folder() / "reports" / asked.recipe.name, tuned, shown)


def _told(
    asked: Asked, tuned: Tuning, content: Mapping[str, Any], facts: Mapping[str, Any], files: Sequence[Path]
) -> str:
    from atlas_rag.tuning.report.files import weights_document

    if asked.as_json:
        written = {"recipe": content, "files": [str(file) for file in files]}
        return json.dumps({**weights_document(tuned, facts), **written}, indent=2, ensure_ascii=False)
    return "\n".join([*as_text(tuned), f"report: {files[1]}", f"next version: {files[0]}"])


def _runs(asked: Asked, queries: QuerySet) -> tuple[Runs, Mapping[str, float]]:
    """Runs of the recipe's input pipelines, and the median seconds of a request of each."""
    from atlas_rag.tuning.recipe import collect_runs, load_files, read_runs

    recipe = asked.recipe
    if asked.runs:
        return read_runs(asked.runs, recipe), {}
    name = asked.embedder or recipe.embedder
    made = embedder_named(name) if name else None
    with _collection(recipe, asked.data, asked.namespace, asked.uri) as collection:
        if asked.data is not None:
            say("load and index")
            typer.echo(str(load_files(recipe, collection, _documents(asked.data), made)), err=True)
        say("collect")
        condition = None if asked.condition is None else read_filter(asked.condition)
        collected = collect_runs(
            recipe, collection, queries, embedder=made, filter=condition, depth=asked.depth
        )
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
