"""What it costs to say the filter once more behind each search: `python -m scripts.bench.belt [DOCUMENTS …]`.

A hybrid question under a store filter that admits a tenth of the documents, in process, as planned and with
the belt taken out, in turns; medians. Depth 100, as by default. Aim: at most 3 % of the query.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import Any

import numpy as np

from atlas_rag import Filter, LocalClient, Retriever
from scripts.bench.table import Figure, show

WORDS = [f"word{i}" for i in range(2000)]
DIMENSIONS = 128
TENANTS = 10
ROUNDS = 60


def collection(size: int) -> Any:
    """Documents of thirty words each, with vectors and a tenant."""
    rng, numbers = random.Random(5), np.random.default_rng(5)
    vectors = numbers.normal(size=(size, DIMENSIONS)).astype(np.float32)
    found = LocalClient()["bench"]["belt"]
    found.insert_many(
        {
            "_id": i,
            "text": " ".join(rng.choices(WORDS, k=30)),
            "tenant": f"tenant{i % TENANTS}",
            "embedding": vectors[i].tolist(),
        }
        for i in range(size)
    )
    fields = [
        {"type": "vector", "path": "embedding", "numDimensions": DIMENSIONS, "similarity": "cosine"},
        {"type": "filter", "path": "tenant"},
    ]
    found.create_search_index(
        {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
    )
    mappings = {"dynamic": False, "fields": {"text": {"type": "string"}, "tenant": {"type": "token"}}}
    found.create_search_index({"name": "text_index", "definition": {"mappings": mappings}})
    return found


def without_belt(pipeline: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pipeline without the `$match` at the end of each input pipeline."""
    fusion, *others = pipeline
    inputs = fusion["$rankFusion"]["input"]["pipelines"]
    bare = {name: [one for one in stages if "$match" not in one] for name, stages in inputs.items()}
    assert all(len(bare[name]) < len(inputs[name]) for name in inputs)  # noqa: S101 - or nothing is compared
    return [{"$rankFusion": {**fusion["$rankFusion"], "input": {"pipelines": bare}}}, *others]


def measured(size: int) -> tuple[float, float]:
    """Median milliseconds of CPU with and without the belt."""
    found = collection(size)
    retriever = Retriever(found, store_filter=Filter.where("tenant", "tenant3"))
    vector = [1.0] + [0.01] * (DIMENSIONS - 1)
    plan = retriever.plan(retriever.capability(), "word1 word2 word3", vector=vector)
    belted = list(plan.commands()[0].body["pipeline"])
    bare = without_belt(belted)
    times: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(2 * ROUNDS):
        with_belt = turn % 2 == 0
        started = time.process_time()
        list(found.aggregate(belted if with_belt else bare))
        times[with_belt].append((time.process_time() - started) * 1e3)
    return statistics.median(times[True]), statistics.median(times[False])


def main() -> int:
    """Prints the table; 1 where the aim is missed."""
    figures = []
    for size in map(int, sys.argv[1:] or ["5000", "100000"]):
        belted, bare = measured(size)
        what = f"hybrid over {size:,} documents: {belted:.2f} ms with the belt, {bare:.2f} without"
        figures.append(Figure(what, (belted / bare - 1) * 100, 3.0, "%"))
    show("The filter said once more behind each search", figures)
    return int(not all(one.holds for one in figures))


if __name__ == "__main__":
    sys.exit(main())
