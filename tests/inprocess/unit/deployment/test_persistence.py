"""A deployment on disk: what was acknowledged is there again, whatever happened to the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pymongo.errors import DuplicateKeyError, OperationFailure

from atlas_rag.inprocess.client import LocalClient
from atlas_rag.inprocess.search.vector_index.index import VectorIndex
from atlas_rag.inprocess.store.journal import Journal, JournalDamaged, encode_record
from atlas_rag.inprocess.store.lock import FolderBusy

VECTORS = {"fields": [{"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}]}
TEXT = {"mappings": {"dynamic": True}}
NEAREST = {
    "$vectorSearch": {"index": "v", "path": "v", "queryVector": [1.0, 0.0], "numCandidates": 9, "limit": 9}
}


def fill(client: LocalClient) -> Any:
    things = client["shop"]["things"]
    things.insert_many([{"_id": n, "t": f"number {n}", "v": [float(n), 1.0]} for n in range(5)])
    things.create_index("t", unique=True)
    things.create_search_index({"name": "v", "type": "vectorSearch", "definition": VECTORS})
    things.create_search_index({"name": "default", "definition": TEXT})
    things.update_one({"_id": 1}, {"$set": {"t": "changed"}})
    things.delete_one({"_id": 2})
    return things


def state(client: LocalClient) -> Any:
    things = client["shop"]["things"]
    return (
        list(things.find()),
        things.index_information(),
        [
            (index["name"], index["status"], index["latestDefinition"])
            for index in things.list_search_indexes()
        ],
        [hit["_id"] for hit in things.aggregate([NEAREST])],
        [hit["_id"] for hit in things.aggregate([{"$search": {"text": {"path": "t", "query": "changed"}}}])],
    )


def test_everything_is_there_after_closing(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        fill(client)
        before = state(client)
    with LocalClient(tmp_path) as client:
        assert state(client) == before
        with pytest.raises(DuplicateKeyError):
            client["shop"]["things"].insert_one({"t": "changed"})


def test_everything_is_there_without_closing(tmp_path: Path) -> None:
    client = LocalClient(tmp_path)
    fill(client)
    before = state(client)
    copied = tmp_path / "copy"
    copied.mkdir()
    (copied / "journal").write_bytes((tmp_path / "journal").read_bytes())
    client.close()
    with LocalClient(copied) as again:
        assert state(again) == before


def test_a_dropped_collection_stays_dropped(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        fill(client)
        client["shop"].create_collection("other")
        client["shop"]["things"].drop()
    with LocalClient(tmp_path) as client:
        assert client["shop"].list_collection_names() == ["other"]
        assert list((tmp_path / "indexes").glob("*")) == []


def test_row_keys_go_on_where_they_stopped(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        things = fill(client)
        things.delete_one({"_id": 4})
    with LocalClient(tmp_path) as client:
        things = client["shop"]["things"]
        things.insert_one({"_id": 9, "v": [1.0, 0.0]})
        assert next(things.aggregate([NEAREST]))["_id"] == 9
        assert [document["_id"] for document in things.find()] == [0, 1, 3, 9]


def test_a_saved_index_opens_without_reading_documents_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalClient(tmp_path) as client:
        fill(client)
    put: list[int] = []
    original = VectorIndex.put
    monkeypatch.setattr(
        VectorIndex, "put", lambda self, key, document: (put.append(key), original(self, key, document))[1]
    )
    with LocalClient(tmp_path) as client:
        assert put == []
        assert len(list(client["shop"]["things"].aggregate([NEAREST]))) == 4


def test_an_index_saved_earlier_gets_what_the_journal_holds_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalClient(tmp_path) as client:
        fill(client)
    client = LocalClient(tmp_path)
    client["shop"]["things"].insert_one({"_id": 9, "t": "new", "v": [1.0, 0.0]})
    client["shop"]["things"].delete_one({"_id": 0})
    client.deployment._storage._save_indexes = lambda: None  # type: ignore[union-attr, method-assign]
    client.close()
    put: list[int] = []
    original = VectorIndex.put
    monkeypatch.setattr(
        VectorIndex, "put", lambda self, key, document: (put.append(key), original(self, key, document))[1]
    )
    with LocalClient(tmp_path) as again:
        assert len(put) == 1
        assert {hit["_id"] for hit in again["shop"]["things"].aggregate([NEAREST])} == {1, 3, 4, 9}


def test_a_second_client_is_refused_and_told_who_has_the_folder(tmp_path: Path) -> None:
    with LocalClient(tmp_path), pytest.raises(FolderBusy, match=f"process {os.getpid()}"):
        LocalClient(tmp_path)
    LocalClient(tmp_path).close()


def test_a_torn_record_is_cut_off(tmp_path: Path) -> None:
    with LocalClient(tmp_path) as client:
        client["a"]["b"].insert_one({"_id": 1})
        client["a"]["b"].insert_one({"_id": 2})
    journal = tmp_path / "journal"
    whole = journal.read_bytes()
    for lost in (1, 5, 20):
        journal.write_bytes(whole[:-lost])
        with LocalClient(tmp_path) as client:
            assert [document["_id"] for document in client["a"]["b"].find()] == [1]
            client["a"]["b"].insert_one({"_id": 3})
        with LocalClient(tmp_path) as client:
            assert [document["_id"] for document in client["a"]["b"].find()] == [1, 3]


def test_a_record_with_a_wrong_checksum_is_refused_and_the_file_left_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    list(journal.replay())
    journal.append([{"n": 1}], durable=True)
    journal.append([{"n": 2}], durable=False)
    journal.close()
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    journal = Journal(path)
    with pytest.raises(JournalDamaged, match="damaged at byte 28 of 48"):
        list(journal.replay())
    journal.leave()
    assert path.read_bytes() == content


def test_another_file_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(b"something else altogether")
    with pytest.raises(JournalDamaged):
        LocalClient(tmp_path)
    (tmp_path / "journal").unlink()
    LocalClient(tmp_path).close()


def test_a_journal_of_replaced_documents_is_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atlas_rag.inprocess.deployment.persistence.SLACK", 10)
    with LocalClient(tmp_path) as client:
        things = client["a"]["b"]
        things.insert_one({"_id": 1, "n": 0})
        for _ in range(100):
            things.update_one({"_id": 1}, {"$inc": {"n": 1}})
        things.create_search_index({"name": "v", "type": "vectorSearch", "definition": VECTORS})
        for _ in range(20):
            things.update_one({"_id": 1}, {"$inc": {"n": 1}})
    record = encode_record({"op": "put", "ns": "a.b", "key": 1, "document": {"_id": 1, "n": 120}})
    assert (tmp_path / "journal").stat().st_size < 30 * len(record)
    with LocalClient(tmp_path) as client:
        assert client["a"]["b"].find_one(1) == {"_id": 1, "n": 120}
        assert [index["name"] for index in client["a"]["b"].list_search_indexes()] == ["v"]


def test_a_write_that_the_disk_does_not_take_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, block: bytes) -> int:
        raise OSError(28, "No space left on device")

    client = LocalClient(tmp_path)
    client["a"]["b"].insert_one({"_id": 1})
    with monkeypatch.context() as patched:
        patched.setattr("atlas_rag.inprocess.store.journal._write_all", full)
        with pytest.raises(OperationFailure, match="No space left"):
            client["a"]["b"].insert_one({"_id": 2})
    with pytest.raises(OperationFailure, match=r"No space left.*restart") as refused:
        client["a"]["b"].insert_one({"_id": 3})
    assert refused.value.code == 14031
    assert client["a"]["b"].find_one({"_id": 1}) == {"_id": 1}
    assert client["a"]["b"].find_one({"_id": 3}) is None
    client.close()
    with LocalClient(tmp_path) as client:
        assert [document["_id"] for document in client["a"]["b"].find()] == [1]


WRITER = """
import sys
from atlas_rag.inprocess.client import LocalClient
things = LocalClient(sys.argv[1])["a"]["b"]
n = 0
while True:
    things.insert_many([{"_id": n + i, "t": "x" * 500} for i in range(10)])
    n += 10
    print(n, flush=True)
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    assert writer.stdout is not None
    with writer.stdout:
        acknowledged = [int(writer.stdout.readline()) for _ in range(30)][-1]
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait(10)
        acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])
    with LocalClient(tmp_path) as client:
        found = [document["_id"] for document in client["a"]["b"].find()]
    assert found == list(range(len(found)))
    assert len(found) >= acknowledged
