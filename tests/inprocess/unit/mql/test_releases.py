"""What one server release has and another has not."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase


def scaled(release: tuple[int, int], **options: Any) -> list[Any]:
    """Returns where 1, 2 and 4 lie between the least and the greatest of them."""
    rows = [{"_id": at, "n": n} for at, n in enumerate((1, 2, 4))]
    scaler = {"$minMaxScaler": {"input": "$n", **options}}
    stage = {"$setWindowFields": {"sortBy": {"_id": 1}, "output": {"s": scaler}}}
    context = Context(ListDatabase(c=ListCollection(rows)), release=release)
    return [row["s"] for row in run([stage], context, "c")]


def evaluated(expression: Any, release: tuple[int, int] = (8, 2)) -> Any:
    context = Context(ListDatabase(c=ListCollection([{"_id": 1, "n": 3}])), release=release)
    return next(run([{"$project": {"v": expression}}], context, "c")).get("v")


def test_min_max_scaler_places_numbers_between_its_bounds() -> None:
    assert scaled((8, 2)) == [0.0, 1 / 3, 1.0]
    assert scaled((8, 2), min=10, max=16) == [10.0, 12.0, 16.0]


def test_min_max_scaler_is_unknown_before_8_2() -> None:
    with pytest.raises(CommandError) as caught:
        scaled((8, 1))
    assert (caught.value.code, caught.value.message) == (9, "Unrecognized window function, $minMaxScaler")


def test_equal_numbers_scale_to_the_lower_bound() -> None:
    rows = [{"_id": 1, "n": 5}, {"_id": 2, "n": 5}]
    stage = {"$setWindowFields": {"output": {"s": {"$minMaxScaler": {"input": "$n", "min": 2, "max": 3}}}}}
    found = run([stage], Context(ListDatabase(c=ListCollection(rows))), "c")
    assert [row["s"] for row in found] == [2.0, 2.0]


def test_sigmoid_came_with_8_1() -> None:
    assert evaluated({"$sigmoid": "$n"}) == 0.9525741268224334
    assert evaluated({"$sigmoid": None}) is None
    with pytest.raises(CommandError) as caught:
        evaluated({"$sigmoid": "$n"}, (8, 0))
    assert caught.value.code == 31325


@pytest.mark.parametrize("stage", ["$currentOp", "$changeStream"])
def test_stages_that_are_not_here_are_refused_by_name(stage: str) -> None:
    with pytest.raises(CommandError) as caught:
        list(run([{stage: {}}], Context(ListDatabase()), "c"))
    assert caught.value.code == 115
    assert stage in caught.value.message


def test_an_unknown_operator_is_refused_by_the_servers_codes() -> None:
    for pipeline, code in (
        ([{"$project": {"v": {"$nope": 1}}}], 31325),
        ([{"$set": {"v": {"$nope": 1}}}], 168),
        ([{"$match": {"v": {"$nope": 1}}}], 2),
        ([{"$nope": 1}], 40324),
    ):
        with pytest.raises(CommandError) as caught:
            list(run(pipeline, Context(ListDatabase()), "c"))
        assert caught.value.code == code


def test_deeply_nested_sums_compile_in_no_time() -> None:
    expression: Any = "$n"
    for _ in range(60):
        expression = {"$add": [expression, 1]}
    assert evaluated(expression) == 63
