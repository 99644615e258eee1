"""Users, roles, TLS, and where the server is willing to listen."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import AutoReconnect, OperationFailure, PyMongoError

from atlas_rag.serve import Options, UnsafeListening, User, serve

USERS = (
    User("reader", "r$cret, =", {"shop": "read"}),
    User("writer", "pässword", {"shop": "readWrite"}),
    User("owner", "owner"),
)


@pytest.fixture(scope="module")
def uri() -> Iterator[str]:
    with serve(options=Options(users=USERS)) as address:
        with MongoClient(address, username="owner", password="owner") as client:
            client["shop"]["things"].insert_one({"_id": 1})
            client["other"]["things"].insert_one({"_id": 1})
        yield address


def connect(uri: str, name: str, password: str) -> Any:
    return MongoClient(uri, username=name, password=password, serverSelectionTimeoutMS=2000)


def code(call: Any) -> int | None:
    with pytest.raises(OperationFailure) as caught:
        call()
    return caught.value.code


def test_without_user_only_the_handshake_is_answered(uri: str) -> None:
    with MongoClient(uri) as client:
        assert client.admin.command("ping")["ok"] == 1
        assert client.server_info()["ok"] == 1
        assert code(lambda: client["shop"]["things"].find_one()) == 13


def test_a_reader_reads_and_does_not_write(uri: str) -> None:
    with connect(uri, "reader", "r$cret, =") as client:
        things = client["shop"]["things"]
        assert things.find_one() == {"_id": 1}
        assert list(things.list_search_indexes()) == []
        assert code(lambda: things.insert_one({})) == 13
        assert code(lambda: list(things.aggregate([{"$out": "copy"}]))) == 13
        assert code(lambda: things.create_search_index({"definition": {}})) == 13
        assert code(lambda: client["other"]["things"].find_one()) == 13
        assert client.list_database_names() == ["shop"]


def test_a_writer_writes_one_database(uri: str) -> None:
    with connect(uri, "writer", "pässword") as client:
        client["shop"]["things"].insert_one({"_id": 2})
        client["shop"]["things"].delete_one({"_id": 2})
        elsewhere = {"$merge": {"into": {"db": "other", "coll": "things"}}}
        assert code(lambda: list(client["shop"]["things"].aggregate([elsewhere]))) == 13
        status = client.admin.command("connectionStatus")["authInfo"]
        assert status["authenticatedUserRoles"] == [{"role": "readWrite", "db": "shop"}]


@pytest.mark.parametrize(("name", "password"), [("reader", "wrong"), ("nobody", "reader")])
def test_wrong_credentials_are_refused_alike(uri: str, name: str, password: str) -> None:
    with connect(uri, name, password) as client:
        assert code(lambda: client["shop"]["things"].find_one()) == 18


def test_a_cursor_is_its_owners(uri: str) -> None:
    with connect(uri, "owner", "owner") as owner, connect(uri, "writer", "pässword") as writer:
        owner["other"]["things"].drop()
        owner["other"]["things"].insert_many([{"_id": at} for at in range(5)])
        cursor = owner["other"]["things"].find(batch_size=2)
        next(cursor)
        for database, collection in (("shop", "things"), ("other", "things")):
            kill = {"killCursors": collection, "cursors": [cursor.cursor_id]}
            assert code(lambda database=database, kill=kill: writer[database].command(kill)) == 13
        assert len(list(cursor)) == 4
        owner["other"]["things"].drop()


def test_a_refusal_does_not_repeat_the_command(uri: str) -> None:
    with connect(uri, "reader", "r$cret, =") as client, pytest.raises(OperationFailure) as caught:
        client["shop"]["things"].insert_one({"secret": "a word"})
    assert "a word" not in str(caught.value)


def test_a_stranger_may_not_send_much(uri: str) -> None:
    with MongoClient(uri) as client, pytest.raises(AutoReconnect):
        client.admin.command("ping", padding="x" * 100_000)
    with connect(uri, "owner", "owner") as client:
        assert client.admin.command("ping", padding="x" * 100_000)["ok"] == 1


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValueError, match="readWrite"):
        User("x", "y", {"shop": "admin"})


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])  # noqa: S104 - refused
def test_listening_wider_needs_users(host: str) -> None:
    with pytest.raises(UnsafeListening):
        Options(host=host).check()
    Options(host=host, users=USERS).check()


def test_tls_needs_certificate_and_key() -> None:
    with pytest.raises(ValueError, match="both"):
        Options(certificate=Path("server.pem")).check()


def test_tls_is_spoken_with_the_given_files(tmp_path: Path) -> None:
    certificate, key = tmp_path / "server.pem", tmp_path / "server.key"
    subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=localhost",
            ),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    with serve(options=Options(certificate=certificate, key=key)) as uri:
        with MongoClient(uri, tlsCAFile=str(certificate)) as client:
            assert client.admin.command("ping")["ok"] == 1
        with (
            MongoClient(uri.replace("&tls=true", ""), serverSelectionTimeoutMS=500) as client,
            pytest.raises(PyMongoError),
        ):
            client.admin.command("ping")
