"""Updates of the in-process engine against a real server: results, documents, codes and texts."""

from __future__ import annotations

from typing import Any

import pytest
from bson import Decimal128, Int64

from tests.inprocess.conformance.commands.sides import Sides

pytestmark = pytest.mark.mongod

PLAIN = {"_id": 1, "a": 1, "l": [1, 2, 3], "d": {"x": 1}, "s": "t"}
NESTED = {"_id": 1, "l": [{"x": 1, "y": [1, 2]}, {"x": 2}]}
MIXED = {"_id": 1, "l": [[1, 5], [7], 3]}


def run(
    sides: Sides, document: dict[str, Any], update: Any, query: Any = None, **options: Any
) -> tuple[Any, Any]:
    statement = {"q": query or {}, "u": update, **options}
    return sides.outcomes(
        [document], lambda c: c.database.command({"update": c.name, "updates": [statement]})
    )


ON_PLAIN: list[Any] = [
    {"$foo": {"a": 1}},
    {"$set": 5},
    {"$set": {}},
    {"$set": {"a": 1}},
    {"$set": {"a": 1.0}},
    {"$set": {"a": 1, "a.b": 2}},
    {"$set": {"_id": 2}},
    {"$set": {"_id.x": 1}},
    {"$set": {"a.b": 1}},
    {"$set": {"l.b": 1}},
    {"$set": {"l.10": 1}},
    {"$set": {"l.1600005": 5}},
    {"$set": {"z.0": 1}},
    {"$set": {"a.": 1}},
    {"$set": {"a..b": 1}},
    {"$set": {".a": 1}},
    {"$set": {"": 1}},
    {"$set": {"$x": 1}},
    {"$set": {"z": {"$x": 1}}},
    {"$set": {"z.$x": 1}},
    {"$set": {"$": 1}},
    {"$set": {"$[]": 1}},
    {"$set": {"a.$": 1}},
    {"$set": {"a.$[]": 1}},
    {"$set": {"l.$[]": 1}},
    {"$set": {"l.$[]": 5, "l.0": 1}},
    {"$set": {"zz.$[]": 1}},
    {"$set": {"l.$[q]": 1}},
    {"$set": {"l.$[": 1}},
    {"$set": {"c": 1, "b": 2}, "$inc": {"aa": 1}},
    {"$rename": {"a": ""}},
    {"$rename": {"a": "d."}},
    {"$rename": {"a": ".d"}},
    {"$rename": {"a": "d..y"}},
    {"$rename": {"a": "$x"}},
    {"$rename": {"a": "$x.y"}},
    {"$set": {"10": 1, "9": 1}},
    {"$set": {"l.0": 5}, "$unset": {"l": 1}},
    {"$unset": {"_id": 1}},
    {"$unset": {"zz": 1}},
    {"$unset": {"zz.$[]": 1}},
    {"$unset": {"l.1": 1}},
    {"$unset": {"a.b": 1}},
    {"$inc": {"a": 1}},
    {"$inc": {"a": Int64(1)}},
    {"$inc": {"a": 1.5}},
    {"$inc": {"a": 2147483647}},
    {"$inc": {"a": Decimal128("1.1")}},
    {"$inc": {"a": "x"}},
    {"$inc": {"s": 1}},
    {"$inc": {"z": 5, "y": Int64(5)}},
    {"$mul": {"a": "x"}},
    {"$mul": {"s": 2}},
    {"$mul": {"z": 2}},
    {"$mul": {"z": Int64(5)}},
    {"$mul": {"z": 1.5}},
    {"$mul": {"a": Int64(2)}},
    {"$min": {"a": "x"}},
    {"$min": {"a": 0.5}},
    {"$min": {"a": 1.0}},
    {"$max": {"a": "x"}},
    {"$max": {"z": 1}},
    {"$min": {"l": []}},
    {"$rename": {"a": 1}},
    {"$rename": {"a": "a"}},
    {"$rename": {"l.0": "q"}},
    {"$rename": {"l.$": "q"}},
    {"$rename": {"a": "l.0"}},
    {"$rename": {"a": "l.$[]"}},
    {"$rename": {"a": "d.x"}},
    {"$rename": {"zz": "q.r"}},
    {"$rename": {"a": "s.x"}},
    {"$rename": {"a.b": "c"}},
    {"$rename": {"l.b": "c"}},
    {"$rename": {"d": "d.y"}},
    {"$rename": {"_id": "x"}},
    {"$rename": {"l": "k"}, "$set": {"k": 1}},
    {"$bit": {"a": {"and": 1.5}}},
    {"$bit": {"a": {"foo": 1}}},
    {"$bit": {"a": 5}},
    {"$bit": {"a": {}}},
    {"$bit": {"s": {"or": 1}}},
    {"$bit": {"z": {"or": 5}}},
    {"$bit": {"a": {"or": Int64(8)}}},
    {"$bit": {"a": {"xor": 7, "and": 3}}},
    {"$currentDate": {"a": 5}},
    {"$currentDate": {"a": {"$type": "x"}}},
    {"$currentDate": {"a": {"$foo": "x"}}},
    {"$setOnInsert": {"q": 1, "_id": 2}},
    {"$push": {"a": 1}},
    {"$push": {"l": {"$each": [5, 4], "$slice": -4, "$sort": 1}}},
    {"$push": {"l": {"$each": 5}}},
    {"$push": {"l": {"$each": [5], "$foo": 1}}},
    {"$push": {"l": {"$each": [5], "$slice": "x"}}},
    {"$push": {"l": {"$each": [5], "$sort": 3}}},
    {"$push": {"l": {"$each": [5], "$sort": {"a": 3}}}},
    {"$push": {"l": {"$each": [5], "$sort": "x"}}},
    {"$push": {"l": {"$each": [5], "$position": "x"}}},
    {"$push": {"l": {"$each": [9], "$position": -1}}},
    {"$push": {"l": {"$each": [9], "$position": 1}}},
    {"$push": {"l": {"$each": [], "$slice": 1}}},
    {"$push": {"l": {"$slice": 3}}},
    {"$push": {"z": {"$each": [3, 1], "$slice": 0}}},
    {"$addToSet": {"a": 1}},
    {"$addToSet": {"l": {"$each": [1, 5, 5]}}},
    {"$addToSet": {"l": {"$each": 5}}},
    {"$addToSet": {"l": {"$each": [5], "$x": 1}}},
    {"$addToSet": {"z": {"$each": [1, 1.0, 2]}}},
    {"$pull": {"a": 1}},
    {"$pull": {"a.b": 1}},
    {"$pull": {"l.x": 1}},
    {"$pull": {"l": {"$gt": 1}}},
    {"$pull": {"l": {"$foo": 1}}},
    {"$pullAll": {"l": 1}},
    {"$pullAll": {"a": [1]}},
    {"$pullAll": {"l": [1.0, 3]}},
    {"$pop": {"a": 1}},
    {"$pop": {"a.b": 1}},
    {"$pop": {"l": 2}},
    {"$pop": {"l": "x"}},
    {"$pop": {"l": -1}},
    {"$pop": {"l": 1.0}},
    {"$pop": {"zz": 1}},
    {"x": 1},
    {},
    {"_id": 2, "x": 1},
    {"x": 1, "$set": {"a": 1}},
    {"$set": {"a": 1}, "x": 1},
    [{"$set": {"q": "$a"}}],
    [{"$set": {"_id": 5}}],
    [{"$replaceWith": {"q": 1}}],
    [{"$unset": "a"}, {"$project": {"l": 0}}],
    [],
    [{"$match": {}}],
    [{"$limit": 1}],
    [{"$foo": 1}],
]


@pytest.mark.parametrize("update", ON_PLAIN, ids=str)
def test_an_update_gives_what_the_server_gives(sides: Sides, update: Any) -> None:
    ours, servers = run(sides, PLAIN, update)
    assert ours == servers


ON_NESTED: list[tuple[Any, dict[str, Any]]] = [
    ({"$set": {"l.$[].x": 5, "l.$[q].x": 6}}, {"arrayFilters": [{"q.x": 1}]}),
    ({"$set": {"l.$[].x": 5, "l.$[q].z": 6}}, {"arrayFilters": [{"q.x": 1}]}),
    ({"$set": {"l.$[q].y.$[w]": 0}}, {"arrayFilters": [{"q.x": 1}, {"w": {"$gt": 1}}]}),
    ({"$set": {"l.$[q].x": 1}}, {"arrayFilters": [{"q.x": 1}, {"q.y": 1}]}),
    ({"$set": {"l.$[q].x": 1}}, {"arrayFilters": [{"q.x": 1, "w.x": 1}]}),
    ({"$set": {"l.$[q].x": 1}}, {"arrayFilters": [{}]}),
    ({"$set": {"l.$[Q].x": 1}}, {"arrayFilters": [{"Q": 1}]}),
    ({"$set": {"l.$[q].x": 9}}, {"arrayFilters": [{"$or": [{"q.x": 1}, {"q.x": 2}]}]}),
    ({"$set": {"a": 5}}, {"arrayFilters": [{"x": 1}]}),
    ([{"$set": {"q": 1}}], {"arrayFilters": [{"x": 1}]}),
    ({"x": 1}, {"arrayFilters": [{"x": 1}]}),
    ({"x": 1}, {"multi": True}),
    ({"$unset": {"l.$[]": 1}}, {}),
    ({"$set": {"l.$.x": 5}}, {"query": {"l.x": 2}}),
    ({"$set": {"l.$.x": 5}}, {"query": {"l": {"$elemMatch": {"x": 2}}}}),
    ({"$set": {"l.$.x": 5, "l.0.x": 1}}, {"query": {"l.x": 1}}),
    ({"$set": {"l.$.x": 5, "l.0.z": 1}}, {"query": {"l.x": 1}}),
    ({"$set": {"l.$.y.$": 5}}, {"query": {"l.x": 1}}),
    ({"$set": {"l.$[].$": 5}}, {"query": {"l.x": 1}}),
    ({"$pull": {"l": {"x": 1}}}, {}),
    ({"$pull": {"l": {"y": 1}}}, {}),
    ({"$pull": {"l": {"$elemMatch": {"x": 1}}}}, {}),
    ({"$pull": {"l.0.y": {"$gt": 1}}}, {}),
    ({"$pullAll": {"l": [{"x": 2}]}}, {}),
    ({"$addToSet": {"l": {"x": 2.0}}}, {}),
    ({"$push": {"l": {"$each": [{"x": 0}], "$sort": {"x": -1}}}}, {}),
    ({"$push": {"l": {"$each": [{"y": 0}], "$sort": {"y": 1, "x": -1}}}}, {}),
    ({"$pop": {"l.x": 1}}, {}),
]


@pytest.mark.parametrize(("update", "options"), ON_NESTED, ids=str)
def test_an_update_of_array_elements_gives_what_the_server_gives(
    sides: Sides, update: Any, options: dict[str, Any]
) -> None:
    ours, servers = run(sides, NESTED, update, **options)
    assert ours == servers


@pytest.mark.parametrize(
    "condition",
    [
        {"$gt": 4},
        [7],
        {"$in": [3, 7]},
        3,
        {"$in": [[7]]},
        {"$size": 1},
        {"$exists": True},
        None,
        {},
        {"$ne": 3},
        {"$or": [{"x": 3}]},
    ],
    ids=str,
)
def test_pull_takes_out_what_the_server_takes_out(sides: Sides, condition: Any) -> None:
    ours, servers = run(sides, MIXED, {"$pull": {"l": condition}})
    assert ours == servers


@pytest.mark.parametrize(
    "update", [{"$inc": {"a": 1}}, {"$mul": {"a": 2}}, {"$inc": {"a": Decimal128("0.5")}}], ids=str
)
@pytest.mark.parametrize("value", [2147483647, Int64(2**63 - 1), 1e308], ids=str)
def test_numbers_grow_and_overflow_as_on_the_server(sides: Sides, update: Any, value: Any) -> None:
    ours, servers = run(sides, {"_id": 1, "a": value}, update)
    assert ours == servers


UPSERTS: list[tuple[Any, Any]] = [
    ({"a": 1, "b": {"$eq": 2}, "c": {"$gt": 3}}, {"$set": {"z": 1}}),
    ({"a.b": 1}, {"$set": {"a.c": 1}}),
    ({"$and": [{"a": 1}, {"b": 2}]}, {"$set": {"z": 1}}),
    ({"$or": [{"a": 1}]}, {"$set": {"z": 1}}),
    ({"$or": [{"a": 1}, {"b": 1}]}, {"$set": {"z": 1}}),
    ({"a": {"$in": [1]}}, {"$set": {"z": 1}}),
    ({"a": {"$in": [1, 2]}}, {"$set": {"z": 1}}),
    ({"a": {"$all": [1]}}, {"$set": {"z": 1}}),
    ({"a": {"$all": [1, 2]}}, {"$set": {"z": 1}}),
    ({"_id": 5, "x": 1}, {"z": 1}),
    ({"_id": 5}, {"_id": 6}),
    ({"_id": {"$gt": 5}}, {"$set": {"_id": 7}}),
    ({"_id": 5}, {"$set": {"_id": 7}}),
    ({"a": 1, "$and": [{"a": 2}]}, {"$set": {"z": 1}}),
    ({"a": {"x": 1}, "a.y": 2}, {"$set": {"z": 1}}),
    ({"a": {"$elemMatch": {"x": 1}}}, {"$set": {"z": 1}}),
    ({"_id": {"x": 1}}, {"$set": {"z": 1}}),
    ({"_id.x": 1}, {"$set": {"z": 1}}),
    ({"a": {"$not": {"$eq": 1}}}, {"$set": {"z": 1}}),
    ({"$nor": [{"a": 1}]}, {"$set": {"z": 1}}),
    ({"a": 1}, {"$inc": {"a": 1}}),
    ({"a": 1}, {"$setOnInsert": {"q": 1, "_id": 3}}),
    ({"a": 1}, [{"$set": {"q": "$a"}}]),
    ({"a": 1}, {"$unset": {"a": 1}}),
    ({"a": {"$exists": True}}, {"$set": {"z": 1}}),
    ({"a": {"$regex": "x"}}, {"$set": {"z": 1}}),
    ({"$expr": {"$eq": ["$a", 1]}}, {"$set": {"z": 1}}),
    ({"a": None}, {"$set": {"z": 1}}),
    ({"z": 1, "b": 2}, {"$set": {"c": 1, "a": 1}}),
    ({"a": 1}, {"$push": {"a": 1}}),
    ({"a.0": 1}, {"$set": {"z": 1}}),
    ({"a.$": 1}, {"$set": {"z": 1}}),
]


@pytest.mark.parametrize(("query", "update"), UPSERTS, ids=str)
def test_an_upsert_makes_the_document_that_the_server_makes(sides: Sides, query: Any, update: Any) -> None:
    statement = {"q": query, "u": update, "upsert": True}
    ours, servers = sides.outcomes(
        [], lambda c: c.database.command({"update": c.name, "updates": [statement]})
    )
    assert ours == servers
