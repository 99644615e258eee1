"""Plain filters and stages of the in-process engine, through `aggregate`, beside mongomock in the same run.

python -m scripts.bench.engine.stages
python -m scripts.bench.engine.stages --rows 5000
"""

from __future__ import annotations

import argparse
import random
import warnings
from typing import Any

from atlas_rag import LocalClient
from atlas_rag.inprocess.mql.match import compile_filter
from scripts.bench.engine.timing import mid_ms
from scripts.bench.table import Figure, show

ROWS = 20_000
FILTER_BOUND_MS = 13.0  # per condition on 20,000 documents
MOCK_FACTOR = 20.0
FILTERS: dict[str, dict[str, Any]] = {
    "range": {"n": {"$gte": 500}},
    "equality": {"word": "word7"},
    "dotted path": {"inner.x": {"$lt": 0.5}},
    "array": {"tags": "a"},
    "$in": {"n": {"$in": [1, 2, 3]}},
}
# Pipelines that mongomock has too.
PIPELINES: dict[str, list[dict[str, Any]]] = {
    "$match + $sort + $limit": [
        {"$match": {"n": {"$gte": 500}}},
        {"$sort": {"n": -1, "_id": 1}},
        {"$limit": 10},
    ],
    "$project": [{"$project": {"n": 1, "word": 1}}],
    "$group": [{"$group": {"_id": "$word", "total": {"$sum": "$n"}}}],
    "$unwind + $group": [{"$unwind": "$tags"}, {"$group": {"_id": "$tags", "count": {"$sum": 1}}}],
}


def rows(count: int) -> list[dict[str, Any]]:
    """Small documents with a number, a word, a list and an inner document."""
    chance = random.Random(1)
    return [
        {
            "_id": at,
            "n": chance.randrange(1000),
            "word": f"word{chance.randrange(50)}",
            "tags": [chance.choice("abcdef") for _ in range(3)],
            "inner": {"x": chance.random()},
        }
        for at in range(count)
    ]


def filter_figures(documents: list[dict[str, Any]]) -> list[Figure]:
    """One figure per condition, its bound scaled to the number of documents."""
    bound = FILTER_BOUND_MS * len(documents) / ROWS
    figures = []
    for name, condition in FILTERS.items():
        matches = compile_filter(condition)
        taken = _scan_ms(matches, documents)
        figures.append(Figure(f"filter: {name}", taken, bound, "ms"))
    return figures


def _scan_ms(matches: Any, documents: list[dict[str, Any]]) -> float:
    return mid_ms(lambda _: sum(map(matches, documents)), [None])


def pipeline_figures(documents: list[dict[str, Any]]) -> list[Figure]:
    """How many times faster each pipeline is than mongomock's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import mongomock

        mock = mongomock.MongoClient().bench.rows
    ours = LocalClient().bench.rows
    for collection in (mock, ours):
        collection.insert_many([dict(document) for document in documents])
    figures = []
    for name, pipeline in PIPELINES.items():
        own = mid_ms(lambda stages: list(ours.aggregate(stages)), [pipeline])
        other = mid_ms(lambda stages: list(mock.aggregate(stages)), [pipeline], passes=1)
        bound = MOCK_FACTOR if "$sort" in name else 1.0
        figures.append(Figure(f"{name} ({own:.1f} ms)", other / own, bound, "× mongomock", at_least=True))
    return figures


def main() -> None:
    """Prints the two tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=ROWS, help=f"documents (default {ROWS:,})")
    documents = rows(parser.parse_args().rows)
    show(f"filters, {len(documents):,} documents", filter_figures(documents))
    show(f"pipelines, {len(documents):,} documents", pipeline_figures(documents))


if __name__ == "__main__":
    main()
