"""Transactions: what they see, whom they keep out, how they end; in process and over the wire."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import InsertOne, MongoClient, UpdateOne
from pymongo.errors import DuplicateKeyError, InvalidOperation, OperationFailure

from atlas_rag.inprocess.client import AsyncLocalClient, LocalClient

THREADS, TRANSFERS = 4, 15


DOCUMENTS = [{"_id": n, "money": 100} for n in range(5)]
OURS = ["in process", "PyMongo over the wire"]
SERVER = pytest.param("a real server", marks=pytest.mark.mongod)


@pytest.fixture(params=OURS)
def ours(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The in-process engine alone, where a server makes writes wait that go first here."""
    yield from opened(request)


@pytest.fixture(params=[*OURS, SERVER])
def client(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The in-process engine, and a real server in its place."""
    yield from opened(request)


def opened(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "a real server":
        server = request.getfixturevalue("mongod_client")
        server.drop_database("bank")
        server["bank"]["accounts"].insert_many([dict(document) for document in DOCUMENTS])
        yield server
        return
    with LocalClient() as made:
        made["bank"]["accounts"].insert_many([dict(document) for document in DOCUMENTS])
        if request.param == "in process":
            yield made
            return
        with made.as_pymongo() as real:
            yield real


def add(collection: Any, identifier: Any, amount: int, **options: Any) -> None:
    collection.update_one({"_id": identifier}, {"$inc": {"money": amount}}, **options)


def money(collection: Any, identifier: Any, **options: Any) -> Any:
    return (collection.find_one({"_id": identifier}, **options) or {}).get("money")


def test_nobody_sees_changes_before_the_commit(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session, session.start_transaction():
        add(accounts, 1, 5, session=session)
        accounts.insert_one({"_id": "new", "money": 1}, session=session)
        accounts.delete_one({"_id": 2}, session=session)
        client["bank"]["log"].insert_one({"_id": "made inside"}, session=session)
        assert (money(accounts, 1), money(accounts, "new"), money(accounts, 2)) == (100, None, 100)
        assert client["bank"].list_collection_names() == ["accounts"]
        seen = [money(accounts, name, session=session) for name in (1, "new", 2)]
        assert seen == [105, 1, None]
        assert accounts.count_documents({}, session=session) == 5
        assert accounts.count_documents({}, skip=1, limit=2, session=session) == 2
    assert (money(accounts, 1), money(accounts, "new"), money(accounts, 2)) == (105, 1, None)
    assert client["bank"]["log"].find_one() == {"_id": "made inside"}


def test_an_aborted_transaction_leaves_nothing(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session:
        with pytest.raises(ZeroDivisionError), session.start_transaction():  # noqa: PT012 - the block is the case
            add(accounts, 1, 5, session=session)
            _ = 1 / 0
        session.start_transaction()
        add(accounts, 1, 7, session=session)
        session.abort_transaction()
        session.start_transaction()
        add(accounts, 1, 9, session=session)  # the session ends while it is open
    assert money(accounts, 1) == 100
    add(accounts, 1, 1)
    assert money(accounts, 1) == 101


def test_reads_are_those_of_the_beginning(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session, session.start_transaction():
        assert money(accounts, 0, session=session) == 100
        add(accounts, 1, 50)
        accounts.insert_one({"_id": "later"})
        accounts.delete_one({"_id": 2})
        assert money(accounts, 1, session=session) == 100
        found = [document["_id"] for document in accounts.find(session=session)]
        assert found == [0, 1, 2, 3, 4]


def test_collections_are_those_of_the_beginning(ours: Any) -> None:
    accounts = ours["bank"]["accounts"]
    with ours.start_session() as session, session.start_transaction():
        assert money(accounts, 0, session=session) == 100
        ours["bank"]["others"].insert_one({"_id": 1})
        assert ours["bank"]["others"].find_one(session=session) is None
        looked_up = {"from": "others", "localField": "_id", "foreignField": "_id", "as": "o"}
        pipeline = [{"$match": {"_id": 1}}, {"$lookup": looked_up}]
        assert next(accounts.aggregate(pipeline, session=session))["o"] == []


def test_the_first_to_change_a_document_wins(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as first, client.start_session() as second:
        first.start_transaction()
        second.start_transaction()
        add(accounts, 1, 5, session=first)
        with pytest.raises(OperationFailure) as caught:
            add(accounts, 1, 7, session=second)
        assert caught.value.code == 112
        assert caught.value.has_error_label("TransientTransactionError")
        with pytest.raises(OperationFailure) as gone:
            money(accounts, 1, session=second)
        assert gone.value.code == 251
        assert gone.value.has_error_label("TransientTransactionError")
        second.abort_transaction()
        first.commit_transaction()
    assert money(accounts, 1) == 105


def test_what_has_changed_since_the_beginning_cannot_be_changed(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    for change in (
        lambda session: add(accounts, 1, 1, session=session),
        lambda session: accounts.delete_one({"_id": 1}, session=session),
        lambda session: accounts.find_one_and_delete({"_id": 1}, session=session),
        lambda session: accounts.insert_one({"_id": "taken"}, session=session),
    ):
        with client.start_session() as session:
            session.start_transaction()
            money(accounts, 0, session=session)
            add(accounts, 1, 1)
            accounts.replace_one({"_id": "taken"}, {}, upsert=True)
            with pytest.raises(OperationFailure) as caught:
                change(session)
            assert caught.value.code == 112
            session.abort_transaction()
        accounts.delete_one({"_id": "taken"})


def test_a_unique_key_that_others_took_is_a_conflict_at_the_commit(ours: Any) -> None:
    accounts = ours["bank"]["accounts"]
    accounts.create_index("name", unique=True, sparse=True)
    with ours.start_session() as session:
        session.start_transaction()
        add(accounts, 1, 1, session=session)
        ours["bank"]["log"].insert_one({}, session=session)
        accounts.insert_one({"_id": "mine", "name": "x"}, session=session)
        accounts.insert_one({"_id": "theirs", "name": "x"})
        with pytest.raises(OperationFailure) as caught:
            session.commit_transaction()
        assert caught.value.code == 112
        assert caught.value.has_error_label("TransientTransactionError")
    assert money(accounts, 1) == 100
    assert ours["bank"]["log"].find_one() is None


def test_an_error_ends_the_transaction(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session:
        session.start_transaction()
        add(accounts, 1, 5, session=session)
        with pytest.raises(DuplicateKeyError):
            accounts.insert_one({"_id": 1}, session=session)
        with pytest.raises(OperationFailure) as caught:
            session.commit_transaction()
        assert caught.value.code == 251
    assert money(accounts, 1) == 100


def test_a_commit_can_be_sent_again(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session:
        session.start_transaction()
        add(accounts, 1, 5, session=session)
        session.commit_transaction()
        session.commit_transaction()
        with pytest.raises(InvalidOperation):
            session.abort_transaction()
    assert money(accounts, 1) == 105


def test_what_cannot_be_part_of_a_transaction_says_so(client: Any) -> None:
    for command in (
        {"count": "accounts"},
        {"drop": "accounts"},
        {"listCollections": 1},
        {"createIndexes": "accounts", "indexes": [{"key": {"a": 1}, "name": "a"}]},
        {"aggregate": "accounts", "pipeline": [{"$out": "x"}], "cursor": {}},
    ):
        with client.start_session() as session:
            session.start_transaction()
            with pytest.raises(OperationFailure) as caught:
                client["bank"].command(command, session=session)
            assert caught.value.code == 263
            session.abort_transaction()


def test_transfers_at_once_lose_nothing(client: Any) -> None:
    accounts = client["bank"]["accounts"]

    def transfer(session: Any) -> None:
        add(accounts, 0, -1, session=session)
        add(accounts, 1, 1, session=session)

    def work() -> None:
        with client.start_session() as session:
            for _ in range(TRANSFERS):
                session.with_transaction(transfer)
                add(accounts, 2, 1)

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = THREADS * TRANSFERS
    assert [money(accounts, n) for n in range(3)] == [100 - done, 100 + done, 100 + done]


def test_a_write_outside_waits_for_a_document_that_is_held(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session:
        session.start_transaction()
        add(accounts, 1, 5, session=session)
        outside = threading.Thread(target=add, args=(accounts, 1, 100))
        outside.start()
        add(accounts, 2, 1)  # others are free
        assert money(accounts, 1) == 100
        session.commit_transaction()
        outside.join()
    assert money(accounts, 1) == 205


def test_writes_in_bulk_are_part_of_a_transaction(client: Any) -> None:
    accounts = client["bank"]["accounts"]
    with client.start_session() as session:
        session.start_transaction()
        accounts.bulk_write(
            [InsertOne({"_id": "b"}), UpdateOne({"_id": "b"}, {"$set": {"money": 1}})], session=session
        )
        assert money(accounts, "b") is None
        session.commit_transaction()
    assert money(accounts, "b") == 1


# ---------------------------------------------------------------- the end of a client, of time, of a process


def test_a_transaction_that_takes_too_long_is_given_up() -> None:
    moment = [0.0]
    with LocalClient(clock=lambda: moment[0]) as client, client.start_session() as session:
        things = client["a"]["b"]
        things.insert_one({"_id": 1})
        client.admin.command("setParameter", 1, transactionLifetimeLimitSeconds=5)
        session.start_transaction()
        things.update_one({"_id": 1}, {"$set": {"x": 1}}, session=session)
        moment[0] = 6.0
        things.update_one({"_id": 1}, {"$set": {"x": 2}})  # and keeps nobody out
        with pytest.raises(OperationFailure, match="aborted"):
            session.commit_transaction()
        assert things.find_one() == {"_id": 1, "x": 2}


def test_a_client_that_leaves_takes_its_transaction_along() -> None:
    with LocalClient() as local:
        local["a"]["b"].insert_one({"_id": 1})
        real: MongoClient[Any] = local.as_pymongo()
        session = real.start_session()
        session.start_transaction()
        real["a"]["b"].update_one({"_id": 1}, {"$set": {"x": 1}}, session=session)
        for server in real._topology._servers.values():  # the connections end without a word
            server.pool.reset()
        local["a"]["b"].update_one({"_id": 1}, {"$set": {"x": 2}})
        assert local["a"]["b"].find_one() == {"_id": 1, "x": 2}
        real.close()


def test_a_transaction_is_on_the_disk_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    with LocalClient(tmp_path / "whole") as client, client.start_session() as session:
        client["a"]["b"].insert_many([{"_id": n} for n in range(3)])
        before = (tmp_path / "whole" / "journal").stat().st_size
        with session.start_transaction():
            client["a"]["b"].update_many({}, {"$set": {"x": 1}}, session=session)
            client["a"]["c"].insert_one({"_id": 1}, session=session)
        journal = (tmp_path / "whole" / "journal").read_bytes()
    for cut in (*range(before, len(journal), 7), len(journal)):
        folder = tmp_path / str(cut)
        folder.mkdir()
        (folder / "journal").write_bytes(journal[:cut])
        with LocalClient(folder) as client:
            changed = client["a"]["b"].count_documents({"x": 1}), client["a"]["c"].count_documents({})
            assert changed == ((3, 1) if cut == len(journal) else (0, 0))


async def test_awaited_transactions() -> None:
    async with AsyncLocalClient() as client, client.start_session() as session:
        things = client["a"]["b"]
        async with await session.start_transaction():
            await things.insert_one({"_id": 1}, session=session)
            assert await things.find_one() is None
        assert await things.find_one() == {"_id": 1}

        async def work(given: Any) -> str:
            await things.insert_one({"_id": 2}, session=given)
            return "done"

        assert await session.with_transaction(work) == "done"
        assert await things.count_documents({}) == 2


def test_search_sees_a_transaction_when_it_is_committed() -> None:
    search = [{"$search": {"text": {"path": "t", "query": "red"}}}]
    with LocalClient() as client, client.start_session() as session:
        things = client["a"]["b"]
        things.insert_one({"_id": 1, "t": "blue"})
        things.create_search_index({"definition": {"mappings": {"dynamic": True}}})
        with session.start_transaction():
            things.insert_one({"_id": 2, "t": "red"}, session=session)
            assert not list(things.aggregate(search))
        assert [document["_id"] for document in things.aggregate(search)] == [2]
        session.start_transaction()
        with pytest.raises(OperationFailure, match=r"\$search cannot run within"):
            things.aggregate(search, session=session)
