"""Search indexes are kept in step without a search holding up a write."""

from __future__ import annotations

import threading

from atlas_rag.inprocess.client import LocalClient


def test_a_write_does_not_wait_for_a_search_and_the_next_search_sees_it() -> None:
    with LocalClient() as client:
        things = client["db"]["things"]
        things.insert_one({"_id": 1, "t": "red fox"})
        things.create_search_index({"definition": {"mappings": {"dynamic": True}}})
        namespace = client.deployment.existing("db", "things")
        assert namespace is not None
        entered, leave = threading.Event(), threading.Event()

        def search() -> None:
            with namespace.upkeep.settled():  # as a search does, for as long as it takes
                entered.set()
                leave.wait()

        searching = threading.Thread(target=search)
        searching.start()
        entered.wait()
        things.insert_one({"_id": 2, "t": "red dog"})
        things.delete_one({"_id": 1})
        leave.set()
        searching.join()
        pipeline = [{"$search": {"text": {"query": "red", "path": "t"}}}]
        assert [hit["_id"] for hit in things.aggregate(pipeline)] == [2]


def test_a_new_index_holds_every_document_once() -> None:
    with LocalClient() as client:
        things = client["db"]["things"]
        things.insert_many([{"_id": at, "t": "red"} for at in range(5)])
        things.create_search_index({"definition": {"mappings": {"dynamic": True}}})
        things.update_one({"_id": 0}, {"$set": {"u": 1}})
        pipeline = [{"$search": {"text": {"query": "red", "path": "t"}}}]
        assert [hit["_id"] for hit in things.aggregate(pipeline)] == [1, 2, 3, 4, 0]
