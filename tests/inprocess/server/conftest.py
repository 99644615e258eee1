"""A server, and what is searched on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.operations import SearchIndexModel

from atlas_rag.serve import serve
from tests.support.places import ROOT

DOCUMENTS = [
    {"_id": 1, "title": "cakes", "v": [1.0, 0.0, 0.0]},
    {"_id": 2, "title": "cookies and cakes", "v": [0.9, 0.1, 0.0]},
    {"_id": 3, "title": "vegetables", "v": [0.0, 1.0, 0.0]},
    {"_id": 4, "title": "oranges", "v": [0.0, 0.0, 1.0]},
]
TEXT = {"mappings": {"dynamic": False, "fields": {"title": {"type": "string"}}}}
VECTOR = {"fields": [{"type": "vector", "path": "v", "numDimensions": 3, "similarity": "cosine"}]}
MODELS = [SearchIndexModel(TEXT, "text"), SearchIndexModel(VECTOR, "vector", "vectorSearch")]

SEARCH = {"$search": {"index": "text", "text": {"path": "title", "query": "cakes"}}}
NEAREST = {
    "$vectorSearch": {
        "index": "vector",
        "path": "v",
        "queryVector": [1.0, 0.0, 0.0],
        "numCandidates": 10,
        "limit": 3,
    }
}
HYBRID = {"$rankFusion": {"input": {"pipelines": {"text": [SEARCH], "vector": [NEAREST]}}}}


@pytest.fixture(scope="session")
def server_uri() -> Iterator[str]:
    """One server for all tests that leave it as they found it."""
    with serve() as uri:
        yield uri


@pytest.fixture
def things(server_uri: str) -> Iterator[Any]:
    """An empty collection of that server."""
    with MongoClient(server_uri) as client:
        client.drop_database("shop")
        yield client["shop"]["things"]


@pytest.fixture
def repository() -> Path:
    """The folder from which the package is imported."""
    return ROOT
