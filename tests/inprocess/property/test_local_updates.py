"""Random updates on random documents: the in-process engine and a real server agree."""

from __future__ import annotations

from typing import Any

import pytest
from bson import Decimal128, Int64
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.inprocess.conformance.commands.sides import Sides, two_sides

pytestmark = pytest.mark.mongod

NAMES = st.sampled_from(["a", "b", "c", "0", "1"])
PATHS = st.builds(".".join, st.lists(NAMES, min_size=1, max_size=3))
SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.sampled_from([Int64(3), 1.5, -0.0, Decimal128("2.50"), "x", "", 2**31 - 1, Int64(2**63 - 1)]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=4).map(lambda fields: {"_id": 1, **fields})
POSITIONAL = st.builds(
    lambda path, middle, rest: ".".join([path, middle, *rest]),
    NAMES,
    st.sampled_from(["$[]", "$", "0"]),
    st.lists(NAMES, max_size=1),
)
ANY_PATH = PATHS | POSITIONAL

PUSHES = VALUES | st.fixed_dictionaries(
    {"$each": st.lists(VALUES, max_size=3)},
    optional={
        "$position": st.integers(-3, 3),
        "$slice": st.integers(-3, 3),
        "$sort": st.sampled_from([1, -1, {"a": 1}, {"b": -1, "a": 1}]),
    },
)
CONDITIONS = VALUES | st.sampled_from(
    [{"$gt": 1}, {"$in": [1, "x", None]}, {"a": 1}, {"$lte": 0}, {"$ne": 1}]
)


def fields(arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(ANY_PATH, arguments, min_size=1, max_size=2)


OPERATORS = st.one_of(
    *(
        st.tuples(st.just(name), fields(arguments))
        for name, arguments in {
            "$set": VALUES,
            "$unset": st.just(""),
            "$inc": SCALARS,
            "$mul": SCALARS,
            "$min": VALUES,
            "$max": VALUES,
            "$rename": PATHS,
            "$push": PUSHES,
            "$addToSet": VALUES | st.fixed_dictionaries({"$each": st.lists(VALUES, max_size=3)}),
            "$pull": CONDITIONS,
            "$pullAll": st.lists(SCALARS, max_size=3),
            "$pop": st.sampled_from([1, -1]),
            "$setOnInsert": VALUES,
            "$bit": st.dictionaries(
                st.sampled_from(["and", "or", "xor"]), st.integers(-9, 9), min_size=1, max_size=2
            ),
        }.items()
    )
)
UPDATES = st.lists(OPERATORS, min_size=1, max_size=3).map(dict)
QUERIES = st.one_of(
    st.just({}),
    st.dictionaries(NAMES, SCALARS, max_size=2),
    st.dictionaries(PATHS, st.sampled_from([{"$gt": 0}, {"$in": [1, 2]}, {"$exists": True}, 1]), max_size=2),
)


@pytest.fixture(scope="module")
def sides(mongod_client: Any) -> Any:
    with two_sides(mongod_client) as both:
        yield both


@settings(
    max_examples=400,
    deadline=None,
    derandomize=True,  # of two errors in one update the server names one, which none but it can foretell
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(document=DOCUMENTS, update=UPDATES, query=QUERIES, upsert=st.booleans())
def test_random_updates_agree(
    sides: Sides, document: dict[str, Any], update: dict[str, Any], query: dict[str, Any], upsert: bool
) -> None:
    statement = {"q": query, "u": update, "upsert": upsert}
    ours, servers = sides.outcomes(
        [document], lambda c: c.database.command({"update": c.name, "updates": [statement]})
    )
    assert ours == servers
