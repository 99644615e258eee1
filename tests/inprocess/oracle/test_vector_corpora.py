"""Vector search over the public collections against the real engine's recorded lists, to the last bit."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from bson import Binary
from bson.binary import BinaryVectorDtype

from atlas_rag.inprocess.search.vector_index import open_vector_index
from tests.support.shared import shared_path

pytestmark = pytest.mark.shared


class Recording:
    """A corpus as an index, and the recorded answers over it."""

    def __init__(self, name: str, *, simulate_loss: bool = False) -> None:
        with gzip.open(shared_path(f"oracle/corpora/{name}_vector.json.gz"), "rt") as packed:
            cases: list[dict[str, Any]] = json.load(packed)["cases"]
        self.exact = [case for case in cases if case["q"].get("exact")]
        self.approximate = [case for case in cases if not case["q"].get("exact")]
        corpus = shared_path(f"corpora/{name}/corpus.jsonl").read_text(encoding="utf-8")
        self._ids = [json.loads(line)["_id"] for line in corpus.splitlines()]
        self._queries = np.load(shared_path(f"corpora/{name}/minilm_queries.npy"))
        rows = np.load(shared_path(f"corpora/{name}/minilm_docs.npy"))
        field = {"type": "vector", "path": "v", "numDimensions": rows.shape[1], "similarity": "cosine"}
        self._index = open_vector_index({"fields": [field]}, simulate_loss=simulate_loss)
        for key, row in enumerate(rows):
            self._index.put(key, {"v": Binary.from_vector(row.tolist(), BinaryVectorDtype.FLOAT32)})

    def ask(self, case: dict[str, Any]) -> dict[str, float]:
        vector = self._queries[case["q"]["queryVector"]["row"]].tolist()
        return {
            self._ids[hit.key]: hit.score
            for hit in self._index.search({**case["q"], "queryVector": vector}).hits
        }


def recorded(case: dict[str, Any]) -> dict[str, float]:
    scores = [float(np.float32(score)) for score in case["out"]["scores"]]
    return dict(zip(case["out"]["ids"], scores, strict=True))


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_the_top_hundred_of_every_exact_query_is_the_recorded_one(name: str) -> None:
    recording = Recording(name)
    assert len(recording.exact) >= 225
    for case in recording.exact:
        assert [*recording.ask(case).items()] == [*recorded(case).items()]


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_approximate_queries_miss_only_what_the_graph_missed(name: str) -> None:
    recording = Recording(name)
    for case in recording.approximate:
        ours, theirs = recording.ask(case), recorded(case)
        found = [(key, score) for key, score in ours.items() if key in theirs]
        assert found == [*theirs.items()][: len(found)]


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_simulated_loss_loses_as_much_as_the_engine(name: str) -> None:
    recording, lost, missed = Recording(name, simulate_loss=True), 0, 0
    for exact, approximate in zip(recording.exact, recording.approximate, strict=True):
        assert exact["q"]["queryVector"] == approximate["q"]["queryVector"]
        lost += len(recorded(exact).keys() - recording.ask(approximate).keys())
        missed += len(recorded(exact).keys() - recorded(approximate).keys())
    assert abs(lost - missed) <= 0.002 * 100 * len(recording.exact)
