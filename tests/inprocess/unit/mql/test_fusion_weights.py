"""Weights at the ends of what numbers are."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase


@pytest.mark.parametrize(("weight", "code"), [(-1, 9460300), (float("nan"), 9460300)])
def test_a_weight_is_not_negative(weight: float, code: int) -> None:
    fusion = {
        "input": {"pipelines": {"a": [{"$sort": {"n": 1}}]}},
        "combination": {"weights": {"a": weight}},
    }
    database = ListDatabase(things=ListCollection([{"_id": 1, "n": 1}], {}))
    with pytest.raises(CommandError) as caught:
        list(run([{"$rankFusion": fusion}], Context(database), "things"))
    assert caught.value.code == code


def test_an_infinite_weight_puts_its_documents_first() -> None:
    fusion = {
        "input": {
            "pipelines": {"a": [{"$sort": {"n": 1}}], "b": [{"$match": {"_id": 2}}, {"$sort": {"n": 1}}]}
        },
        "combination": {"weights": {"b": float("inf")}},
    }
    database = ListDatabase(things=ListCollection([{"_id": 1, "n": 1}, {"_id": 2, "n": 2}], {}))
    found = list(run([{"$rankFusion": fusion}], Context(database), "things"))
    assert [row["_id"] for row in found] == [2, 1]
