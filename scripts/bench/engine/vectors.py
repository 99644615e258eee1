"""Vectors and fusion of the in-process engine, through `aggregate`, beside the real core's times.

    python -m scripts.bench.engine.vectors                  # all collections at hand
    python -m scripts.bench.engine.vectors --rows 20000     # a smaller made collection
    python -m scripts.bench.engine.vectors --growth         # how figures grow from 5,000 to 200,000 rows

Bounds are multiples of what the real core took (query parsing to first batch, in process, one thread).
"""

from __future__ import annotations

import argparse
import os
import tracemalloc
from collections.abc import Iterator
from statistics import median
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from atlas_rag import LocalClient
from scripts.bench.engine.collections import Collection, made, public
from scripts.bench.engine.timing import mids_ms, rate
from scripts.bench.table import Figure, show

LIMIT, CANDIDATES, DEPTH, BUILDS = 10, 150, 100, 5
# milliseconds, and documents a second, of the real core: median of five passes
CORE = {
    "cranfield": {"ann": 0.309, "exact": 0.294, "filter": 0.353, "index": 5_295, "times": 1.5},
    "scifact": {"ann": 0.427, "exact": 0.454, "filter": 0.632, "index": 6_217, "times": 1.5},
    "made": {"ann": 4.92, "exact": 5.76, "filter": 7.36, "index": 4_652, "times": 1.0},
}


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
        if chosen.only in ("", name):
            found = public(name)
            if found is not None:
                show(name, measured(found, CORE[name]))
    if chosen.only in ("", "made"):
        show(f"made, {chosen.rows:,} rows", measured(made(chosen.rows), CORE["made"]))


def measured(source: Collection, core: dict[str, float]) -> list[Figure]:
    """All figures of one collection."""
    with LocalClient() as client:
        warm_up = client["bench"]["warm_up"]
        warm_up.insert_many(source.documents[:100])
        _index_vectors(warm_up, source)
        things = client["bench"]["things"]
        things.insert_many(source.documents)
        speed = median(_indexing_rates(things, source))
        figures = [Figure("index vectors", speed, 10 * core["index"], "docs/s", at_least=True)]
        for what, time in _times(things, source).items():
            figures.append(Figure(what, time, core[what] * core["times"], "ms"))
        return figures + _fusion(things, source)


def _indexing_rates(things: Any, source: Collection) -> Iterator[float]:
    """Documents a second, of several builds of the same index."""
    for build in range(BUILDS):
        if build:
            things.drop_search_index("vectors")
        yield rate(lambda: _index_vectors(things, source), len(source.documents))


def _times(things: Any, source: Collection, **procedure: int) -> dict[str, float]:
    bodies = _bodies(source)
    times = mids_ms(lambda body: _ids(things, _vector(body)), list(bodies.values()), **procedure)
    return dict(zip(bodies, times, strict=True))


def _bodies(source: Collection) -> dict[str, list[dict[str, Any]]]:
    plain = [
        {"index": "vectors", "path": "v", "queryVector": vector, "limit": LIMIT} for vector in source.vectors
    ]
    ann = [{**body, "numCandidates": CANDIDATES} for body in plain]
    return {
        "ann": ann,
        "exact": [{**body, "exact": True} for body in plain],
        "filter": [{**body, "filter": {"n": span}} for body, span in zip(ann, source.tenths, strict=True)],
    }


def _fusion(things: Any, source: Collection) -> list[Figure]:
    """`$rankFusion` of text and vector at depth 100 against its two inputs, each asked alone."""
    fields = {"text": {"type": "string", "analyzer": "lucene.english"}}
    things.create_search_index(
        {"name": "text", "definition": {"mappings": {"dynamic": False, "fields": fields}}}
    )
    by_vector = [[_vector({**body, "limit": DEPTH})] for body in _bodies(source)["ann"]]
    by_text = [
        [{"$search": {"index": "text", "text": {"path": "text", "query": text}}}, {"$limit": DEPTH}]
        for text in source.texts
    ]
    both = [
        [{"$rankFusion": {"input": {"pipelines": {"vector": one, "text": other}}}}, {"$limit": LIMIT}]
        for one, other in zip(by_vector, by_text, strict=False)
    ]
    *inputs, fused = mids_ms(lambda stages: _ids(things, *stages), [by_vector, by_text, both])
    alone = sum(inputs)
    return [Figure(f"$rankFusion over its inputs alone ({alone:.2f} ms)", fused, 1.5 * alone, "ms")]


def growth() -> None:
    """Time per question and memory per row as the collection grows."""
    for rows in (5_000, 20_000, 50_000, 100_000, 200_000):
        source = made(rows, with_text=False)
        with LocalClient() as client:
            things = client["bench"]["things"]
            things.insert_many(source.documents)
            tracemalloc.start()
            _index_vectors(things, source)
            used = tracemalloc.get_traced_memory()[0]
            tracemalloc.stop()
            times = _times(things, source, passes=3)
        shown = " ".join(f"{what} {time:6.2f} ms" for what, time in times.items())
        print(f"{rows:8,} rows: {shown}, {used / rows:6.0f} bytes a row beside the document")


def _index_vectors(things: Any, source: Collection) -> None:
    field = {"type": "vector", "path": "v", "numDimensions": source.dimensions, "similarity": "cosine"}
    fields = [field, {"type": "filter", "path": "n"}]
    things.create_search_index({"name": "vectors", "type": "vectorSearch", "definition": {"fields": fields}})
    _ids(things, _vector({**_bodies(source)["exact"][0]}))  # the first question sees every document


def _vector(body: dict[str, Any]) -> dict[str, Any]:
    return {"$vectorSearch": body}


def _ids(things: Any, *stages: dict[str, Any]) -> list[Any]:
    """Asks for the hits alone, as the core gives them: without the documents."""
    return list(things.aggregate([*stages, {"$project": {"_id": 1}}]))


if __name__ == "__main__":
    main()
