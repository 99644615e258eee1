"""Queries, scores, rewritings, explanations and lengths against those of Lucene itself."""

from __future__ import annotations

import functools
import gzip
import json
from typing import Any

import numpy as np
import pytest

from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.queries.base import Query, Weight, rewritten
from atlas_rag.inprocess.search.search_index.storage.smallfloat import LENGTHS, encode_lengths
from tests.support.recordings import DATA

RECORDING: dict[str, Any] = json.loads(gzip.decompress((DATA / "lucene" / "search.json.gz").read_bytes()))
SEARCHES = {search["id"]: search for search in RECORDING["search"]}
# Specifications that the recording writes in short.
BODIES: dict[str, dict[str, Any]] = {
    "prefix/title": {"term": {"path": "title", "query": "qui", "prefix": True}},
    "score/dismax": {
        "compound": {
            "should": [{"text": {"path": path, "query": "quick"}} for path in ("title", "body")],
            "score": {"dismax": {"tieBreakerScore": 0}},
        }
    },
    "score/dismax_tie": {
        "compound": {
            "should": [{"text": {"path": path, "query": "quick"}} for path in ("title", "body")],
            "score": {"dismax": {"tieBreakerScore": 0.1}},
        }
    },
}


def spelled_out(clause: Any) -> Any:
    """`text body search` as an operator; a lone word is looked for in `body`."""
    if not isinstance(clause, str):
        return clause
    _, path, query = clause.split() if " " in clause else ("text", "body", clause)
    return {"text": {"path": path, "query": query}}


def body_of(search: dict[str, Any]) -> dict[str, Any]:
    if search["id"] in BODIES:
        return BODIES[search["id"]]
    spec: dict[str, Any] = search["spec"]
    if "compound" not in spec:
        return spec
    clauses = {
        name: [spelled_out(clause) for clause in value] if isinstance(value, list) else value
        for name, value in spec["compound"].items()
    }
    return {"compound": clauses}


@functools.cache
def index() -> SearchIndex:
    fields = {
        path: {"type": "string", "analyzer": f"lucene.{analyzer}"}
        for path, analyzer in RECORDING["field_analyzers"].items()
    }
    made = open_search_index({"mappings": {"dynamic": False, "fields": fields}})
    for key, document in enumerate(RECORDING["docs"]):
        made.put(key, document)
    return made


def built(search: dict[str, Any]) -> tuple[Query, Weight]:
    """The rewritten query and its weight."""
    (partition,) = index().partitions
    query = rewritten(Context(index().mapping, partition).build(body_of(search)), partition)
    return query, query.weigh(partition)


def bare(text: str) -> str:
    """A description with Lucene's field names, which are the paths."""
    return text.replace("$type:string/", "")


@pytest.mark.parametrize("name", SEARCHES)
def test_hits_and_scores_are_lucenes_bit_by_bit(name: str) -> None:
    hits = index().search(body_of(SEARCHES[name])).hits
    ours = [(hit.key, np.float32(hit.score).view(np.uint32)) for hit in hits]
    assert ours == [(hit["doc"], int(hit["f32"], 16)) for hit in SEARCHES[name]["hits"]]


@pytest.mark.parametrize("name", SEARCHES)
def test_queries_are_rewritten_as_lucene_does(name: str) -> None:
    query, _ = built(SEARCHES[name])
    assert sorted(bare(str(query)).split()) == sorted(SEARCHES[name]["rewritten"].split())


@pytest.mark.parametrize("name", [name for name, search in SEARCHES.items() if search["hits"]])
def test_the_best_hit_is_explained_in_lucenes_words(name: str) -> None:
    search = SEARCHES[name]
    _, weight = built(search)
    explanation = weight.explain(search["hits"][0]["doc"])
    assert explanation is not None
    assert comparable(explanation.as_document()) == comparable(search["explain"])


def comparable(explanation: dict[str, Any]) -> tuple[str, float, list[Any]]:
    """An explanation with the clauses of a query in one order, which a query written twice may differ in."""
    details = sorted(comparable(part) for part in explanation["details"])
    return bare(explanation["description"]), explanation["value"], details


@pytest.mark.parametrize("norm", RECORDING["norms"], ids=lambda norm: str(norm["length"]))
def test_lengths_are_kept_in_one_byte_as_lucene_does(norm: dict[str, int]) -> None:
    (code,) = encode_lengths(np.array([norm["length"]], np.int64))
    assert (code, LENGTHS[code]) == (norm["byte"], norm["decoded"])
