"""Weights of a fusion that are numbers and yet no weights."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase


@pytest.mark.parametrize(("weight", "code"), [(-1, 9460300), (float("nan"), 9460300), (float("inf"), 115)])
def test_a_weight_is_a_finite_number(weight: float, code: int) -> None:
    fusion = {
        "input": {"pipelines": {"a": [{"$sort": {"n": 1}}]}},
        "combination": {"weights": {"a": weight}},
    }
    database = ListDatabase(things=ListCollection([{"_id": 1, "n": 1}], {}))
    with pytest.raises(CommandError) as caught:
        list(run([{"$rankFusion": fusion}], Context(database), "things"))
    assert caught.value.code == code
