"""What importing the front doors loads: nothing that is not needed before the first question."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"pydantic", "numpy", "motor", "httpx", "voyageai", "mongomock", "onnxruntime", "rich", "starlette"}


def loaded_by(statement: str) -> set[str]:
    """Names of the modules that a fresh interpreter has after a statement."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    return set(json.loads(subprocess.check_output([sys.executable, "-c", program], timeout=60)))


@pytest.mark.parametrize("name", ["Retriever", "AsyncRetriever", "Filter", "VectorInput", "RetrievalOptions"])
def test_the_front_doors_of_the_sdk_load_nothing_heavy(name: str) -> None:
    modules = loaded_by(f"from atlas_rag import {name}")
    assert not modules & HEAVY
    rooms = {module.split(".")[1] for module in modules if module.startswith("atlas_rag.")}
    assert not rooms & {"inprocess", "indexes", "tuning", "recipes", "cli", "check", "loading", "playground"}


def test_a_retriever_is_made_without_anything_heavy() -> None:
    made = "import pymongo, atlas_rag; atlas_rag.Retriever(pymongo.MongoClient(connect=False)['a']['b'])"
    assert not loaded_by(made) & HEAVY


@pytest.mark.parametrize("name", ["LocalClient", "AsyncLocalClient"])
def test_the_in_process_engine_loads_nothing_of_the_sdk(name: str) -> None:
    modules = loaded_by(f"from atlas_rag import {name}")
    rooms = {module.split(".")[1] for module in modules if module.startswith("atlas_rag.")}
    assert rooms <= {"inprocess", "grammar", "fusion", "lazy", "version", "errors"}
    assert not modules & (HEAVY - {"numpy"})
