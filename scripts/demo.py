"""The main job on real input: index the standard library's documentation, then ask it in three modes.

python -m scripts.demo            in-process engine, kept in .atlas_rag between runs
ATLAS_RAG_URI=… python -m scripts.demo     the same on that deployment
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from rich.console import Console
from rich.progress import Progress

from atlas_rag import HashingEmbedder, Retriever
from atlas_rag.cli import places
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.cli.tables import rejected_table, result_table
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import ensure_indexes
from atlas_rag.loading import Item, load
from atlas_rag.recipes import read_recipe
from atlas_rag.retriever.blueprint import Blueprint
from atlas_rag.wire import drive
from scripts.stdlib_corpus import unique_entries

DATABASE, COLLECTION = "atlas_rag_demo", "stdlib"
DIMENSIONS = 1024
QUESTIONS = (
    "read and write comma separated values",
    "how do I parse command line arguments",
    "run a coroutine in another thread",
    "compress a file with gzip",
    "temporary directory that is removed afterwards",
    "permutations and combinations of an iterable",
    "send an e-mail over smtp with tls",
    "OrderedDict move_to_end",
    "format a date as ISO 8601",
    "walk a directory tree",
    "cache the results of a function",
    "urlencode query parameters",
)


def main() -> None:
    """Builds what is missing, asks, and explains one answer in full."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--limit", type=int, default=3, help="hits per question and mode (default 3)")
    limit = parser.parse_args().limit
    console = Console()
    started = time.perf_counter()
    with places.client() as client:
        retriever = prepare(client, console)
        for question in QUESTIONS:
            console.rule(f"[bold]{question}")
            for mode in ("hybrid", "vector", "keyword"):
                console.print(result_table(retriever.retrieve(question, mode=mode, limit=limit)))
        explain(retriever, console, limit)
    console.print(
        f"Done in {time.perf_counter() - started:.1f} s. Ask your own: atlas-rag search 'your question'"
    )


def prepare(client: Any, console: Console) -> Retriever:
    """Documents and indexes as the hybrid recipe needs them, and a retriever over them."""
    collection = client[DATABASE][COLLECTION]
    embedder = HashingEmbedder(DIMENSIONS)
    recipe = read_recipe("hybrid")
    load_docstrings(collection, embedder, console)
    engine = engine_for(collection)
    drive(ensure_indexes(engine.namespace, recipe.indexes), engine)
    vector, keyword = recipe.inputs
    blueprint = Blueprint(
        database=DATABASE,
        collection=COLLECTION,
        vector={"index": vector.index},
        keyword={"index": keyword.index, "paths": keyword.paths, "boosts": keyword.boosts},
        embedder=embedder.id,
    )
    places.folder().mkdir(parents=True, exist_ok=True)
    blueprint.write(places.folder() / "retriever.json")
    return retriever_of(recipe, collection, embedder=embedder)


def load_docstrings(collection: Any, embedder: HashingEmbedder, console: Console) -> None:
    """Embeds and stores every docstring that is not there yet; a run that was cut short is continued."""
    entries = unique_entries()
    items = [Item(entry["_id"], f"{entry['title']} {entry['text']}", entry) for entry in entries]
    with Progress(console=console) as progress:
        task = progress.add_task("embed and load docstrings", total=len(items))
        engine = engine_for(collection)
        protocol = load(
            engine.namespace,
            items,
            embedder,
            checkpoint=places.folder() / "loading" / f"{engine.namespace}.json",
            progress=lambda loading: progress.update(task, completed=loading.read),
        )
        drive(protocol, engine)


def explain(retriever: Retriever, console: Console, limit: int) -> None:
    """One question in full: the pipeline, the route and its reason, and what was rejected and why."""
    question = QUESTIONS[0]
    result = retriever.retrieve(question, limit=limit)
    console.rule(f"[bold]In full: {question}")
    evidence = result.evidence
    console.print(f"route: {evidence.route}, because {evidence.route_reason}")
    console.print(f"mode: {evidence.executed_mode}, because {evidence.mode_reason}")
    for command in result.plan.commands() if result.plan else ():
        console.print_json(json.dumps(command.body["pipeline"], default=repr))
    console.print(rejected_table(result))


if __name__ == "__main__":
    main()
