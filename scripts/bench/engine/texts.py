"""Text search of the in-process engine, through `aggregate`, beside the real core's times.

    python -m scripts.bench.engine.texts                  # all collections at hand
    python -m scripts.bench.engine.texts --rows 20000     # a smaller made collection
    python -m scripts.bench.engine.texts --growth         # how figures grow from 5,000 to 200,000 rows

Bounds are multiples of what the real core took (query parsing to first batch, in process, one thread, warm).
Indexing is measured warm as well: words that were stemmed once are remembered.
"""

from __future__ import annotations

import argparse
import os
import tracemalloc
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from atlas_rag import LocalClient
from scripts.bench.engine.collections import Collection, made, public
from scripts.bench.engine.timing import mid_ms, rate
from scripts.bench.engine.words import workload
from scripts.bench.table import Figure, show

LIMIT = 10
# milliseconds, and documents a second, of the real core: median of five passes
CORE = {
    "cranfield": (0.256, 0.431, 0.482, 0.302, 0.442, 0.820, 0.476, 10_896),
    "scifact": (0.261, 0.331, 0.527, 0.223, 0.358, 0.870, 0.614, 6_538),
    "made": (0.244, 0.524, 0.964, 0.270, 0.612, 0.711, 0.655, 14_653),
}
KINDS = ("text 1", "text 3", "text 8", "phrase", "compound", "fuzzy", "sort")
LOOSER = {"phrase": 1.5, "fuzzy": 1.5}  # allowed half as much again
INDEXING_SHARE = 0.7


def main() -> None:
    """Prints a table per collection."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the made collection")
    parser.add_argument("--growth", action="store_true", help="measure growth instead")
    parser.add_argument("--only", default="", help="name of one collection")
    chosen = parser.parse_args()
    if chosen.growth:
        growth()
        return
    for name in ("cranfield", "scifact"):
        found = public(name) if chosen.only in ("", name) else None
        if found is not None:
            show(name, measured(found, CORE[name], 2.0, "lucene.english"))
    if chosen.only in ("", "made"):
        source = made(chosen.rows)
        show(f"made, {chosen.rows:,} rows", measured(source, CORE["made"], 4.0, "lucene.standard"))


def measured(source: Collection, core: tuple[float, ...], times: float, analyzer: str) -> list[Figure]:
    """All figures of one collection; `times` is how many of the core's times a question may take."""
    documents = [{name: value for name, value in each.items() if name != "v"} for each in source.documents]
    with LocalClient() as client:
        warm_up, things = client["bench"]["warm_up"], client["bench"]["things"]
        for each in (warm_up, things):
            each.insert_many(documents)
        _index(warm_up, analyzer)
        speed = rate(lambda: _index(things, analyzer), len(documents))
        figures = [Figure("index text", speed, INDEXING_SHARE * core[-1], "docs/s", at_least=True)]
        bodies = workload(documents, source.texts, "text")
        for what, theirs in zip(KINDS, core, strict=False):
            bound = times * theirs * LOOSER.get(what, 1.0)
            figures.append(Figure(what, mid_ms(lambda body: _ids(things, body), bodies[what]), bound, "ms"))
        return figures


def growth() -> None:
    """Time per question and memory per row as the collection grows."""
    for rows in (5_000, 20_000, 50_000, 100_000, 200_000):
        source = made(rows)
        with LocalClient() as client:
            things = client["bench"]["things"]
            things.insert_many(
                {"_id": each["_id"], "text": each["text"], "n": each["n"]} for each in source.documents
            )
            tracemalloc.start()
            _index(things, "lucene.standard")
            used = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            bodies = workload(source.documents, source.texts, "text")
            times = {what: _growing(things, bodies[what]) for what in KINDS}
        shown = " ".join(f"{what} {time:6.2f} ms" for what, time in times.items())
        print(f"{rows:8,} rows: {shown}, {used / rows:6.0f} bytes a row beside the document")


def _growing(things: Any, bodies: list[dict[str, Any]]) -> float:
    return mid_ms(lambda body: _ids(things, body), bodies, passes=3)


def _index(things: Any, analyzer: str) -> None:
    fields = {"text": {"type": "string", "analyzer": analyzer}, "n": {"type": "number"}}
    things.create_search_index(
        {"name": "default", "definition": {"mappings": {"dynamic": False, "fields": fields}}}
    )
    _ids(things, {"text": {"path": "text", "query": "a"}})  # the first question folds what was added


def _ids(things: Any, body: dict[str, Any]) -> list[Any]:
    """Asks for the hits alone, as the core gives them: without the documents."""
    return list(things.aggregate([{"$search": body}, {"$limit": LIMIT}, {"$project": {"_id": 1}}]))


if __name__ == "__main__":
    main()
