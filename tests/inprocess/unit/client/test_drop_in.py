"""The in-process client in PyMongo's place: every public name and keyword, raw batches, PyMongo itself."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import bson
import pytest
from bson import DBRef
from pymongo import AsyncMongoClient, MongoClient
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.asynchronous.command_cursor import AsyncCommandCursor
from pymongo.asynchronous.cursor import AsyncCursor
from pymongo.asynchronous.database import AsyncDatabase
from pymongo.collection import Collection
from pymongo.command_cursor import CommandCursor
from pymongo.cursor import Cursor
from pymongo.database import Database
from pymongo.errors import ConfigurationError, InvalidOperation, OperationFailure

from atlas_rag.inprocess.client import (
    AsyncLocalClient,
    AsyncLocalCollection,
    AsyncLocalDatabase,
    LocalClient,
    LocalCollection,
    LocalDatabase,
)
from atlas_rag.inprocess.client.asynchronous.cursors import AsyncLocalCommandCursor, AsyncLocalCursor
from atlas_rag.inprocess.client.cursor import LocalCommandCursor, LocalCursor

PAIRS: list[tuple[type, type]] = [
    (MongoClient, LocalClient),
    (Database, LocalDatabase),
    (Collection, LocalCollection),
    (Cursor, LocalCursor),
    (CommandCursor, LocalCommandCursor),
    (AsyncMongoClient, AsyncLocalClient),
    (AsyncDatabase, AsyncLocalDatabase),
    (AsyncCollection, AsyncLocalCollection),
    (AsyncCursor, AsyncLocalCursor),
    (AsyncCommandCursor, AsyncLocalCommandCursor),
]


def public(kind: type) -> Iterator[str]:
    return (name for name in dir(kind) if not name.startswith("_"))


@pytest.fixture
def client() -> Iterator[LocalClient]:
    with LocalClient() as made:
        yield made


def instances(client: LocalClient) -> dict[type, Any]:
    """One object of each of our classes."""
    asynchronous = AsyncLocalClient.over(client)
    things, theirs = client["shop"]["things"], asynchronous["shop"]["things"]
    return {
        LocalClient: client,
        LocalDatabase: client["shop"],
        LocalCollection: things,
        LocalCursor: things.find(),
        LocalCommandCursor: things.aggregate([]),
        AsyncLocalClient: asynchronous,
        AsyncLocalDatabase: asynchronous["shop"],
        AsyncLocalCollection: theirs,
        AsyncLocalCursor: theirs.find(),
        AsyncLocalCommandCursor: AsyncLocalCommandCursor(things.aggregate([]), theirs._call),
    }


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=lambda kind: kind.__name__)
def test_no_public_name_of_pymongo_silently_becomes_a_database_or_a_collection(
    client: LocalClient, theirs: type, ours: type
) -> None:
    made = instances(client)[ours]
    assert not [name for name in public(theirs) if not (hasattr(ours, name) or name in vars(made))]


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=lambda kind: kind.__name__)
def test_every_keyword_of_pymongo_is_taken(theirs: type, ours: type) -> None:
    refused = []
    for name in public(theirs):
        method, mine = getattr(theirs, name), getattr(ours, name, None)
        if not inspect.isfunction(method) or not callable(mine):
            continue
        taken = inspect.signature(mine).parameters
        if any(parameter.kind is parameter.VAR_KEYWORD for parameter in taken.values()):
            continue
        refused += [
            f"{name}({keyword}=)"
            for keyword, parameter in inspect.signature(method).parameters.items()
            if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
            and keyword not in taken
        ]
    assert not refused


OPTIONS: dict[str, Any] = {
    "comment": "x",
    "max_time_ms": 10_000,
    "allow_disk_use": True,
    "no_cursor_timeout": True,
    "allow_partial_results": True,
    "hint": [("_id", 1)],
    "let": {"x": 1},
    "batch_size": 5,
    "cursor_type": 0,
    "collation": None,
    "return_key": False,
    "show_record_id": False,
    "session": None,
}


def test_find_takes_every_option_in_pymongos_spelling(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.insert_many([{"_id": n} for n in range(3)])
    assert len(list(things.find({}, None, 1, 5, **OPTIONS))) == 2
    assert things.find().comment("x").hint([("_id", 1)]).max_time_ms(10_000).allow_disk_use(True).next()


def test_what_the_engine_has_not_is_refused_by_its_name(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.insert_one({"_id": 1})
    for cursor, said in (
        (things.find(max_scan=1), "maxScan"),
        (things.find().where("true"), "where"),
        (things.find().min([("_id", 1)]), "min"),
        (things.find().max({"_id": 1}), "max"),
        (things.find(return_key=True), "returnKey"),
        (things.find(show_record_id=True), "showRecordId"),
    ):
        with pytest.raises(OperationFailure, match=said):
            next(cursor)


def test_options_are_kept_and_handed_down(client: LocalClient) -> None:
    from pymongo import ReadPreference, WriteConcern
    from pymongo.read_concern import ReadConcern

    database = client.get_database("shop", read_preference=ReadPreference.SECONDARY)
    things = database["things"].with_options(read_concern=ReadConcern("majority"))
    assert things.read_preference == ReadPreference.SECONDARY
    assert things.read_concern == ReadConcern("majority")
    assert things.write_concern == WriteConcern() == client.write_concern
    assert database.with_options(write_concern=WriteConcern(1)).write_concern == WriteConcern(1)


def test_a_client_of_no_server_says_so(client: LocalClient) -> None:
    assert client.is_primary
    assert not client.is_mongos
    assert (client.address, client.primary, client.nodes) == (None, None, frozenset())
    with pytest.raises(NotImplementedError, match="topology_description"):
        _ = client.topology_description
    with pytest.raises(ConfigurationError, match="default database"):
        client.get_database()
    assert client.get_default_database("shop").name == "shop"
    with pytest.raises(TypeError, match="not iterable"):
        next(client)  # type: ignore[call-overload]


def test_raw_batches_are_bson(client: LocalClient) -> None:
    things = client["shop"]["things"]
    things.insert_many([{"_id": n} for n in range(5)])
    batches = list(things.find_raw_batches(batch_size=2))
    assert [len(bson.decode_all(batch)) for batch in batches] == [2, 2, 1]
    assert bson.decode_all(next(things.aggregate_raw_batches([{"$limit": 1}]))) == [{"_id": 0}]


async def test_raw_batches_are_bson_when_awaited(client: LocalClient) -> None:
    things = AsyncLocalClient.over(client)["shop"]["things"]
    await things.insert_many([{"_id": n} for n in range(3)])
    assert [len(bson.decode_all(batch)) async for batch in things.find_raw_batches(batch_size=2)] == [2, 1]


def test_a_reference_is_followed(client: LocalClient) -> None:
    client["shop"]["things"].insert_one({"_id": 1, "a": 2})
    assert client["shop"].dereference(DBRef("things", 1)) == {"_id": 1, "a": 2}
    with pytest.raises(ValueError, match="other"):
        client["shop"].dereference(DBRef("things", 1, "other"))


def test_a_command_with_a_cursor_gives_it(client: LocalClient) -> None:
    client["shop"]["things"].insert_many([{"_id": n} for n in range(3)])
    assert len(list(client["shop"].cursor_command("find", "things", batchSize=1))) == 3
    with pytest.raises(InvalidOperation):
        client["shop"].cursor_command("ping")
    assert client.admin.command("nonsense", check=False)["code"] == 59
    assert client.admin.command("nonsense", allowable_errors=[59])["code"] == 59


def test_pymongo_itself_sees_the_same_deployment(client: LocalClient) -> None:
    client["shop"]["things"].insert_many([{"_id": n} for n in range(200)])
    with client.as_pymongo() as real:
        assert isinstance(real, MongoClient)
        real["shop"]["things"].insert_one({"_id": 200})
        assert len(list(real["shop"]["things"].find())) == 201
    assert len(list(client["shop"]["things"].find())) == 201
    assert client["shop"]["things"].find_one(200) == {"_id": 200}


async def test_pymongo_async_itself_sees_the_same_deployment(client: LocalClient) -> None:
    asynchronous = AsyncLocalClient.over(client)
    async with asynchronous.as_pymongo() as real:
        assert isinstance(real, AsyncMongoClient)
        await real["shop"]["things"].insert_one({"_id": 1})
    assert await asynchronous["shop"]["things"].find_one() == {"_id": 1}


def test_a_request_for_pymongo_has_credentials(client: LocalClient) -> None:
    with client.as_pymongo() as real:
        host, port = real.address or ("", 0)
        with MongoClient(host, port, directConnection=True) as stranger, pytest.raises(OperationFailure):
            stranger["shop"]["things"].find_one()
