"""Collations: order and equality of text, in process and on a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.collation import Collation
from pymongo.errors import OperationFailure

from atlas_rag import LocalClient

pytestmark = pytest.mark.mongod

LETTERS = """
a A b B á Á à ab aB Ab AB a_b a-b a.b zebra Zebra éclair eclair Éclair e E 1 10 2 ß ss SS æ ae Æ ñ n Ñ o ö Ö
ø ł l naïve naive cote coté côte côté co-op coop CO-OP Coop #x $x % & 'q ( 日本 あ ア Ω ω я Я i I x² x2 Å å …
– — € £ 😀 résumé Resume resume Résumé 3rd 20th
"""
WORDS = [*LETTERS.split(), "", "a b", " a", "a ", "\ta", "a\u0301"]
OTHERS: list[Any] = [None, 5, ["b", "A"], {"x": "A"}, ["a"], True]


@pytest.fixture(scope="module")
def collections(mongod_client: MongoClient[Any]) -> Iterator[tuple[Any, Any]]:
    documents = [{"_id": n, "w": word} for n, word in enumerate([*WORDS, *OTHERS])]
    mongod_client.drop_database("alike")
    with LocalClient() as client:
        pair = client["alike"]["words"], mongod_client["alike"]["words"]
        for collection in pair:
            collection.insert_many([dict(document) for document in documents])
        yield pair


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_text_sorts_as_on_the_server(collections: tuple[Any, Any], strength: int) -> None:
    rules = Collation("en", strength=strength)
    for direction in (1, -1):
        ours, theirs = (
            [document["w"] for document in each.find().sort([("w", direction), ("_id", 1)]).collation(rules)]
            for each in collections
        )
        assert ours == theirs


@pytest.mark.parametrize("strength", [1, 2, 3])
def test_text_is_equal_as_on_the_server(collections: tuple[Any, Any], strength: int) -> None:
    rules = Collation("en_US", strength=strength)
    for word in WORDS:
        for query in ({"w": word}, {"w": {"$gt": word}}, {"w": {"$nin": [word, "b"]}}, {"w.x": word}):
            ours, theirs = (each.count_documents(query, collation=rules) for each in collections)
            assert ours == theirs, (query, strength)


RULES = {"locale": "en", "strength": 2}
COMMANDS: list[dict[str, Any]] = [
    {"find": "words", "filter": {"w": {"$in": ["RESUME", "x"]}}, "collation": RULES},
    {"find": "words", "filter": {"w": {"$elemMatch": {"$eq": "a"}}}, "collation": RULES},
    {"find": "words", "filter": {"w": {"$type": "object"}}, "collation": RULES},
    {"find": "words", "filter": {"_id": 3, "w": "b"}, "projection": {"w": 1}, "collation": RULES},
    {"count": "words", "query": {"w": "ZEBRA"}, "collation": RULES},
    {"distinct": "words", "key": "w", "query": {"_id": {"$lt": 4}}, "collation": RULES},
    {"aggregate": "words", "pipeline": [{"$match": {"w": "AB"}}], "cursor": {}, "collation": RULES},
    {
        "aggregate": "words",
        "pipeline": [{"$match": {"w": "AB"}}, {"$count": "n"}],
        "cursor": {},
        "collation": RULES,
    },
    {
        "update": "words",
        "updates": [{"q": {"w": "none"}, "u": {"$set": {"x": 1}}, "multi": True, "collation": RULES}],
    },
    {"delete": "words", "deletes": [{"q": {"w": "none"}, "limit": 0, "collation": RULES}]},
    {
        "findAndModify": "words",
        "query": {"w": "ZEBRA"},
        "sort": {"_id": -1},
        "update": {"$set": {"x": 1}},
        "collation": RULES,
    },
    *(
        {"find": "words", "filter": {"w": "a"}, "collation": given}
        for given in (
            {},
            {"locale": "simple"},
            {"strength": 2},
            {"locale": 5},
            {"locale": "en", "nope": 1},
            {"locale": "en", "strength": 9},
        )
    ),
]


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_command_is_answered_as_by_the_server(
    collections: tuple[Any, Any], command: dict[str, Any]
) -> None:
    ours, theirs = (outcome(each.database, command) for each in collections)
    assert ours == theirs


def outcome(database: Any, command: dict[str, Any]) -> Any:
    try:
        reply = database.command(command)
    except OperationFailure as error:
        return error.code
    return {name: reply[name] for name in ("cursor", "n", "nModified", "values", "value") if name in reply}


def test_what_is_not_offered_is_refused_by_name() -> None:
    with LocalClient() as client:
        words = client["alike"]["words"]
        words.insert_one({"w": "a"})
        for rules, said in (
            (Collation("de"), "locale"),
            (Collation("en", strength=4), "strength 4"),
            (Collation("en", numericOrdering=True), "numericOrdering"),
            (Collation("en", caseLevel=True), "caseLevel"),
        ):
            with pytest.raises(OperationFailure, match=said):
                words.find_one({"w": "A"}, collation=rules)
        english = Collation("en", strength=2)
        for call, said in (
            (lambda: words.find_one({"w": {"$regex": "A"}}, collation=english), "regex"),
            (lambda: words.find_one({"$expr": True}, collation=english), "expr"),
            (lambda: words.aggregate([{"$group": {"_id": "$w"}}], collation=english), "group"),
            (lambda: words.create_index("w", collation=english), "collation"),
            (lambda: client["alike"].create_collection("new", collation=english), "collation"),
        ):
            with pytest.raises(OperationFailure, match=said) as caught:
                call()
            assert caught.value.code == 115
