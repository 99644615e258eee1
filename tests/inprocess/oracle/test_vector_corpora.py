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


@pytest.mark.parametrize("name", ["cranfield", "scifact"])
def test_the_top_hundred_of_every_exact_query_is_the_recorded_one(name: str) -> None:
    with gzip.open(shared_path(f"oracle/corpora/{name}_vector.json.gz"), "rt") as packed:
        cases: list[dict[str, Any]] = json.load(packed)["cases"]
    corpus = shared_path(f"corpora/{name}/corpus.jsonl").read_text(encoding="utf-8")
    ids = [json.loads(line)["_id"] for line in corpus.splitlines()]
    rows = np.load(shared_path(f"corpora/{name}/minilm_docs.npy"))
    queries = np.load(shared_path(f"corpora/{name}/minilm_queries.npy"))
    index = open_vector_index(
        {"fields": [{"type": "vector", "path": "v", "numDimensions": rows.shape[1], "similarity": "cosine"}]}
    )
    for key, row in enumerate(rows):
        index.put(key, {"v": Binary.from_vector(row.tolist(), BinaryVectorDtype.FLOAT32)})
    exact = [case for case in cases if case["q"].get("exact")]
    assert len(exact) == len(queries)
    for case in exact:
        hits = index.search(
            {**case["q"], "queryVector": queries[case["q"]["queryVector"]["row"]].tolist()}
        ).hits
        assert [ids[hit.key] for hit in hits] == case["out"]["ids"]
        assert [hit.score for hit in hits] == [float(np.float32(score)) for score in case["out"]["scores"]]
