"""`$densify`, `$fill` and window functions where they keep to the documentation and a server does not."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from atlas_rag.inprocess.mql.stages.gaps import densify
from tests.support.local_database import ListCollection, ListDatabase


def answered(rows: list[dict[str, Any]], stage: dict[str, Any]) -> list[dict[str, Any]]:
    return list(run([stage], Context(ListDatabase(c=ListCollection(rows))), "c"))


def test_interpolation_begins_anew_in_each_partition() -> None:
    rows = [{"_id": at, "p": p, "t": t, "x": x} for at, (p, t, x) in enumerate(TWO_SERIES)]
    fill = {"partitionByFields": ["p"], "sortBy": {"t": 1}, "output": {"x": {"method": "linear"}}}
    assert [row["x"] for row in answered(rows, {"$fill": fill})] == [0, 5.0, 10, 3, 2.0, 1]


TWO_SERIES = [("a", 1, 0), ("a", 2, None), ("a", 3, 10), ("b", 3, 3), ("b", 4, None), ("b", 5, 1)]


def test_a_moving_average_begins_anew_in_each_partition() -> None:
    rows = [{"_id": 1, "p": "a", "x": 8}, {"_id": 2, "p": "b", "x": 2}, {"_id": 3, "p": "b", "x": 4}]
    average = {"w": {"$expMovingAvg": {"input": "$x", "alpha": 0.5}}}
    stage = {"$setWindowFields": {"partitionBy": "$p", "sortBy": {"_id": 1}, "output": average}}
    assert [row["w"] for row in answered(rows, stage)] == [8.0, 2.0, 3.0]


def test_filled_fields_come_in_the_order_in_which_they_were_asked_for() -> None:
    methods = {name: {"method": "locf"} for name in ("c", "a", "b")}
    (row,) = answered([{"_id": 1}], {"$fill": {"sortBy": {"_id": 1}, "output": methods}})
    assert list(row) == ["_id", "c", "a", "b"]


def test_densify_makes_no_more_documents_than_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(densify, "MAX_GENERATED", 3)
    rows = [{"_id": 1, "n": 0}, {"_id": 2, "n": 4}]
    stage = {"$densify": {"field": "n", "range": {"step": 1, "bounds": "full"}}}
    assert len(answered(rows, stage)) == 5
    with pytest.raises(CommandError) as caught:
        answered([*rows, {"_id": 3, "n": 6}], stage)
    assert caught.value.code == 5897900
