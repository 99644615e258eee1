"""The real server that other tests compare with."""

import pymongo
import pytest


@pytest.mark.mongod
def test_the_server_is_a_writable_replica_set(mongod_client: pymongo.MongoClient) -> None:
    hello = mongod_client.admin.command("hello")
    assert hello["setName"] == "rs0"
    assert hello["isWritablePrimary"]
    mongod_client.scratch.things.insert_one({"_id": 1})
    assert mongod_client.scratch.things.find_one() == {"_id": 1}
    mongod_client.drop_database("scratch")
