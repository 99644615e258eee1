"""The in-process engine against a real server: random documents, random pipelines, equal answers.

`scripts/parity.py --runs 10000` does the same at length.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import bson
import pytest
from hypothesis import HealthCheck, given, settings
from pymongo import MongoClient

from tests.support.mql import parity
from tests.support.mql.pipelines import pipelines
from tests.support.mql.reasons import known
from tests.support.mql.values import documents

# Hypothesis warns that the description of nested strategies is long.
pytestmark = [pytest.mark.mongod, pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")]
EXAMPLES = int(os.environ.get("PARITY_EXAMPLES", "300"))


@pytest.fixture(scope="module")
def server(mongod_client: MongoClient[Any]) -> Iterator[MongoClient[Any]]:
    yield mongod_client
    mongod_client.drop_database("parity")


# The same examples every time: new ones are looked for by the script, not by whoever runs the tests.
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents=documents(), pipeline=pipelines)
def test_a_pipeline_gives_what_the_server_gives(
    server: MongoClient[Any], documents: list[dict[str, Any]], pipeline: list[Any]
) -> None:
    try:
        theirs = parity.there(server, documents, pipeline)
    except bson.errors.InvalidBSON:  # the server cut a string within a character
        return
    ours = parity.here(documents, pipeline)
    kind = parity.difference(ours, theirs, pipeline)
    assert kind is None or known(kind, pipeline, ours, theirs), f"{kind}\nours   {ours}\ntheirs {theirs}"
