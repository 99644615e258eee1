"""Shapes that the public driver specifications describe: index management, retryable writes, handshake."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from bson import Binary, Int64
from pymongo import MongoClient
from pymongo.errors import OperationFailure
from pymongo.operations import SearchIndexModel

from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.server.authentication import Credentials
from atlas_rag.inprocess.server.conversation import Backend, Conversation
from atlas_rag.inprocess.server.sessions import MOST_SESSIONS, Sessions
from atlas_rag.serve import User

DYNAMIC = {"mappings": {"dynamic": False, "fields": {}}}
NOW_DYNAMIC = {"mappings": {"dynamic": True}}


def names(collection: Any) -> list[str]:
    return [index["name"] for index in collection.list_search_indexes()]


# ---------------------------------------------------------------- index management, search indexes


def test_an_index_is_created_with_a_definition_and_listed(things: Any) -> None:
    things.database.create_collection("things")
    assert things.create_search_index(SearchIndexModel(DYNAMIC, "test-search-index")) == "test-search-index"
    (index,) = things.list_search_indexes("test-search-index")
    assert index["queryable"]
    assert index["latestDefinition"] == DYNAMIC


def test_two_indexes_are_created_at_once(things: Any) -> None:
    things.database.create_collection("things")
    models = [SearchIndexModel(DYNAMIC, f"test-search-index-{n}") for n in (1, 2)]
    assert things.create_search_indexes(models) == ["test-search-index-1", "test-search-index-2"]
    assert names(things) == ["test-search-index-1", "test-search-index-2"]


def test_an_index_is_dropped(things: Any) -> None:
    things.database.create_collection("things")
    things.create_search_index(SearchIndexModel(DYNAMIC, "test-search-index"))
    things.drop_search_index("test-search-index")
    assert names(things) == []


def test_an_index_is_updated(things: Any) -> None:
    things.database.create_collection("things")
    things.create_search_index(SearchIndexModel(DYNAMIC, "test-search-index"))
    things.update_search_index("test-search-index", NOW_DYNAMIC)
    (index,) = things.list_search_indexes("test-search-index")
    assert index["latestDefinition"] == NOW_DYNAMIC
    assert index["status"] == "READY"


def test_dropping_on_a_missing_collection_is_no_error(things: Any) -> None:
    things.database[str(uuid4())].drop_search_index("foo")


def test_read_and_write_concern_of_the_collection_do_no_harm(things: Any) -> None:
    things.database.create_collection("things")
    concerned = things.database.client.get_database("shop", write_concern=None)["things"]
    assert concerned.create_search_index(SearchIndexModel(DYNAMIC, "test-search-index-case6"))
    assert names(concerned) == ["test-search-index-case6"]


def test_types_are_explicit_or_search(things: Any) -> None:
    things.database.create_collection("things")
    things.create_search_index(SearchIndexModel(DYNAMIC, "implicit"))
    things.create_search_index(SearchIndexModel(DYNAMIC, "explicit", "search"))
    vector = {"fields": [{"type": "vector", "path": "p", "numDimensions": 1536, "similarity": "euclidean"}]}
    things.create_search_index(SearchIndexModel(vector, "vector", "vectorSearch"))
    assert [index["type"] for index in things.list_search_indexes()] == ["search", "search", "vectorSearch"]


def test_a_vector_definition_without_its_type_is_refused(things: Any) -> None:
    things.database.create_collection("things")
    vector = {"fields": [{"type": "vector", "path": "p", "numDimensions": 1536, "similarity": "euclidean"}]}
    with pytest.raises(OperationFailure, match="mappings"):
        things.create_search_index(SearchIndexModel(vector, "vector"))


# ---------------------------------------------------------------- retryable writes


def conversation() -> Conversation:
    return Conversation(Backend(Deployment()), "127.0.0.1:27018")


def numbered(number: int, session: Any, **command: Any) -> dict[str, Any]:
    return {**command, "$db": "shop", "lsid": session, "txnNumber": Int64(number)}


def test_a_write_sent_again_is_answered_again_and_done_once() -> None:
    client, session = conversation(), {"id": Binary(uuid4().bytes, 4)}
    increment = {"q": {"_id": 1}, "u": {"$inc": {"n": 1}}, "upsert": True}
    command = numbered(1, session, update="things", updates=[increment])
    first = client.answer(command)
    assert client.answer(command) == first
    found = client.answer({"find": "things", "$db": "shop"})
    assert found["cursor"]["firstBatch"] == [{"_id": 1, "n": 1}]
    assert client.answer(numbered(2, session, update="things", updates=[increment]))["nModified"] == 1
    assert client.answer(command)["code"] == 225


def test_a_write_that_failed_may_be_tried_again() -> None:
    client, session = conversation(), {"id": Binary(uuid4().bytes, 4)}
    assert client.answer(numbered(1, session, insert="things", documents=[]))["code"] == 16
    assert client.answer(numbered(1, session, insert="things", documents=[{"_id": 1}]))["n"] == 1


def test_ended_sessions_are_forgotten() -> None:
    sessions = Sessions()
    for number in range(MOST_SESSIONS + 5):
        sessions.remember({"lsid": {"id": number.to_bytes(16, "big")}, "txnNumber": 1}, {"ok": 1})
    assert len(sessions) == MOST_SESSIONS
    sessions.end([{"id": (MOST_SESSIONS + 4).to_bytes(16, "big")}, {"id": 5}, 7])
    assert len(sessions) == MOST_SESSIONS - 1


# ---------------------------------------------------------------- handshake


def test_hello_is_a_replica_set_of_one_that_supports_sessions() -> None:
    reply = conversation().answer({"hello": 1, "$db": "admin", "compression": ["snappy", "zlib"]})
    assert reply["isWritablePrimary"] is True
    assert reply["hosts"] == [reply["me"]] == ["127.0.0.1:27018"]
    assert reply["logicalSessionTimeoutMinutes"] == 30
    assert reply["compression"] == ["zlib"]
    assert (reply["minWireVersion"], reply["maxWireVersion"]) == (0, 27)


def test_the_old_hello_answers_by_its_own_name() -> None:
    assert conversation().answer({"isMaster": 1, "$db": "admin"})["ismaster"] is True


def test_mechanisms_are_told_where_there_are_users() -> None:
    users = Credentials((User("ann", "pencil"),))
    client = Conversation(Backend(Deployment(), users), "127.0.0.1:27018")
    reply = client.answer({"hello": 1, "$db": "admin", "saslSupportedMechs": "admin.ann"})
    assert reply["saslSupportedMechs"] == ["SCRAM-SHA-256"]
    assert client.answer({"saslContinue": 1, "$db": "admin", "payload": b""})["code"] == 17
    other = {"saslStart": 1, "$db": "admin", "mechanism": "PLAIN", "payload": b"x"}
    assert client.answer(other)["code"] == 2


@pytest.mark.parametrize(("release", "wire"), [("7.0", 21), ("8.0", 25), ("8.2", 27), ("9.0", 29)])
def test_a_release_announces_its_wire_version(release: str, wire: int) -> None:
    client = Conversation(Backend(Deployment(release)), "127.0.0.1:27018")
    assert client.answer({"hello": 1, "$db": "admin"})["maxWireVersion"] == wire
    build = client.answer({"buildInfo": 1, "$db": "admin"})
    assert build["versionArray"] == [int(release[0]), int(release[2]), 0, 0]


def test_a_client_may_come_without_direct_connection(server_uri: str) -> None:
    with MongoClient(server_uri.replace("directConnection=true", "replicaSet=atlas-rag")) as client:
        assert client.admin.command("ping")["ok"] == 1
        assert client.is_primary
