"""`$where` runs JavaScript on a server; here it is refused by name, wherever a query may hold it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pymongo.errors import OperationFailure

from atlas_rag.inprocess.client import LocalClient

SCRIPT = {"$where": "this.a == 1"}


@pytest.mark.parametrize("query", [SCRIPT, {"$or": [{"a": 1}, {"$and": [SCRIPT]}]}], ids=str)
@pytest.mark.parametrize(
    "call",
    [
        lambda collection, query: list(collection.find(query)),
        lambda collection, query: collection.count_documents(query),
        lambda collection, query: collection.update_many(query, {"$set": {"b": 1}}),
        lambda collection, query: collection.delete_one(query),
    ],
    ids=["find", "count", "update", "delete"],
)
def test_scripts_are_refused_by_name(call: Callable[[Any, Any], Any], query: dict[str, Any]) -> None:
    with LocalClient() as client:
        collection = client["shop"]["notes"]
        collection.insert_one({"_id": 1, "a": 1})
        with pytest.raises(
            OperationFailure, match=r"\$where is not supported by the in-process engine"
        ) as caught:
            call(collection, query)
    assert caught.value.code == 115
