"""A small experiment of our own: documents about places and things, their vectors, queries and judgments."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np

from atlas_rag.tuning.experiment import Experiment

THINGS = ["bridge", "library", "harbour", "market", "tower", "garden"]
PLACES = ["north", "south", "island", "valley", "forest"]
DOCUMENTS = [
    {
        "_id": f"{place}-{thing}",
        "title": f"The {place} {thing}",
        "text": f"A {thing} in the {place}, with a view.",
    }
    for place, thing in product(PLACES, THINGS)
]
QUERIES = [
    {"_id": f"q{place}{thing}", "text": f"{thing} of the {place}", "group": place}
    for place, thing in product(PLACES, THINGS)
]

FILE = """
name = "places"
version = 3
seed = 5

[data]
folder = "data"
judgment_format = "trec"
judgments = "qrels.txt"
fields = { body = ["title", "text"] }

[data.vectors]
path = "v"
documents = "docs.npy"
queries = "queries.npy"
model = "made up"

[collect]
collection = "places"
depth = 12
concurrency = 4

[[indexes]]
name = "words"
type = "search"

[indexes.definition.mappings]
dynamic = false
fields = { body = { type = "string", analyzer = "lucene.english" } }

[[indexes]]
name = "vectors"
type = "vectorSearch"
definition = { fields = [{ type = "vector", path = "v", numDimensions = 8, similarity = "cosine" }] }

[pipelines]
keyword = [{ "$search" = { index = "words", text = { query = "{text}", path = "body" } } }]

[[pipelines.vector]]
"$vectorSearch" = { index = "vectors", path = "v", queryVector = "{vector}", exact = true, limit = 12 }

[split]
holdout = 0.3
folds = 4
repeats = 3

[search]
depths = [3, 12]
rank_constants = [10, 60]
least_scores = [{ keyword = 0.5 }]
candidates = { pipeline = "vector", values = [12, 30] }

[[thresholds]]
score = "keyword"
goal = "precision"
target = 0.2

[[expect]]
choice = "keyword alone"
measure = "RR@10"
value = 1.0
tolerance = 1e-9
"""


def write_experiment(folder: Path) -> Path:
    """Writes data and experiment file; returns the file."""
    data = folder / "data"
    data.mkdir()
    draw = np.random.default_rng(4)
    centres = draw.standard_normal((len(DOCUMENTS), 8))
    near = centres + draw.standard_normal((len(DOCUMENTS), 8)) * 0.6
    for name, matrix in (("docs", centres), ("queries", near)):
        unit = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        np.save(data / f"{name}.npy", unit.astype(np.float32))
    for name, rows in (("corpus", DOCUMENTS), ("queries", QUERIES)):
        (data / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    grades = [f"q{place}{thing} 0 {place}-{thing} 2\n" for place, thing in product(PLACES, THINGS)]
    grades += [
        f"q{place}{thing} 0 {other}-{thing} 0\n"
        for place, thing in product(PLACES, THINGS)
        for other in PLACES
        if other != place
    ]
    (data / "qrels.txt").write_text("".join(grades), encoding="utf-8")
    path = folder / "places.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def read_experiment(folder: Path) -> Experiment:
    """The experiment, written and read."""
    return Experiment.read(write_experiment(folder))
