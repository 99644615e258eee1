"""From a recipe to tuned weights to a service: what was promised offline is what is served."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pymongo
import pytest

from atlas_rag import LocalClient, Retriever
from atlas_rag.recipes import read_recipe
from atlas_rag.recipes.new import new_recipe
from atlas_rag.recipes.writing import write_recipe
from atlas_rag.serve import serve
from atlas_rag.tuning.data import QuerySet
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.recipe import (
    collect_runs,
    load_files,
    next_version,
    read_judgments,
    read_queries,
    tune_recipe,
)
from tests.support.shared import shared_path

HELD = 40
"""Questions kept away from tuning."""


class Kept:
    """Gives the vectors that come along with a collection."""

    id, blocking, dimensions = "kept/384", False, 384

    def __init__(self, folder: Path) -> None:
        self.vectors: dict[str, Any] = {}
        for file, matrix in (("corpus", "docs"), ("queries", "queries")):
            rows = [json.loads(line) for line in (folder / f"{file}.jsonl").open(encoding="utf-8")]
            vectors = np.load(folder / f"minilm_{matrix}.npy")
            self.vectors |= {row["text"]: vector for row, vector in zip(rows, vectors, strict=True)}

    def embed_query(self, text: str) -> Any:
        return self.vectors[text]

    def embed_documents(self, texts: Any) -> Any:
        return [self.vectors[text] for text in texts]


@pytest.mark.shared
def test_what_is_tuned_on_a_public_collection_is_what_is_served(tmp_path: Path) -> None:
    folder = shared_path("corpora/cranfield")
    embedder = Kept(folder)
    content = new_recipe("cranfield", embedder, ("title", "text"), ())
    content["inputs"][0]["exact"] = True
    first = read_recipe(write_recipe(tmp_path / "cranfield.toml", content))
    asked = read_queries(folder / "queries.jsonl")
    graded = read_judgments(folder / "qrels.tsv", asked)
    judged = [query for query in asked if query.id in graded.grades]
    tuning, held = QuerySet(judged[:-HELD]), QuerySet(judged[-HELD:])

    here = LocalClient()["recipes"]["cranfield"]
    report = load_files(first, here, folder / "corpus.jsonl", embedder)
    assert (report.read, report.written) == (1400, here.count_documents({}))
    runs = collect_runs(first, here, tuning, embedder=embedder).runs
    tuned = tune_recipe(first, runs, tuning, graded, holdout=0.0, repeats=1)
    second = read_recipe(
        write_recipe(tmp_path / "cranfield-2.toml", next_version(first, tuned, {"by": "test"}))
    )
    assert (second.version, second.provenance["from"]) == (2, "cranfield-1")
    assert second.provenance["queries"] == len(tuning)

    found = collect_runs(second, here, held, embedder=embedder).runs
    problem = FusionProblem(found, graded, "nDCG@10")
    weights = {name: float(second.fusion.weights.get(name, 1.0)) for name in ("keyword", "vector")}
    promised = problem.ranking(weights, 10)
    with serve() as uri, pymongo.MongoClient[dict[str, Any]](uri) as client:
        there = client["shop"]["docs"]
        load_files(second, there, folder / "corpus.jsonl", embedder)
        service = Retriever.from_recipe(second, there, embedder=embedder)
        served = {
            query.id: [
                (hit.id, hit.score.value) for hit in service.retrieve(query.text, limit=10) if hit.score
            ]
            for query in held
        }
    assert [name for name in served if served[name] != promised[name]] == []
