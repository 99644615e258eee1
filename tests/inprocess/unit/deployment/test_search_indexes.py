"""The life of a search index: codes, states, and who answers while a new definition is being built."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pymongo.errors import OperationFailure
from pymongo.operations import SearchIndexModel

from atlas_rag.inprocess.client import LocalClient

VECTORS = {"fields": [{"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}]}
DYNAMIC = {"mappings": {"dynamic": True}}
TITLE_ONLY = {"mappings": {"dynamic": False, "fields": {"title": {"type": "string"}}}}


class Clock:
    """A clock that is moved by hand. Seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def things(clock: Clock) -> Any:
    with LocalClient(index_delay=10, clock=clock) as client:
        collection = client["shop"]["things"]
        collection.insert_many([{"_id": 1, "title": "red", "body": "blue", "v": [1.0, 0.0]}])
        yield collection


def search(collection: Any, path: str, query: str, index: str = "default") -> list[Any]:
    body = {"index": index, "text": {"path": path, "query": query}}
    return [hit["_id"] for hit in collection.aggregate([{"$search": body}])]


def listed(collection: Any, name: str = "default") -> Any:
    (entry,) = collection.list_search_indexes(name)
    return entry


def code(call: Any) -> int | None:
    with pytest.raises(OperationFailure) as caught:
        call()
    return caught.value.code


def test_an_index_is_pending_then_building_then_ready(things: Any, clock: Clock) -> None:
    assert things.create_search_index(SearchIndexModel(DYNAMIC)) == "default"
    seen = []
    for _ in range(4):
        entry = listed(things)
        seen.append((entry["status"], entry["queryable"]))
        clock.now += 4
    assert seen == [("PENDING", False), ("BUILDING", False), ("BUILDING", False), ("READY", True)]


def test_an_entry_has_the_servers_fields(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(VECTORS, "v", "vectorSearch"))
    clock.now += 10
    entry = listed(things, "v")
    assert (entry["name"], entry["type"], entry["status"]) == ("v", "vectorSearch", "READY")
    assert entry["latestDefinition"] == VECTORS
    assert entry["latestDefinitionVersion"]["version"] == 0
    assert entry["numDocs"] == 1
    (host,) = entry["statusDetail"]
    assert host["mainIndex"]["definition"] == VECTORS
    assert len(entry["id"]) == 24


def test_a_query_is_refused_while_the_first_build_is_under_way(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    clock.now += 5
    with pytest.raises(OperationFailure) as caught:
        search(things, "title", "red")
    assert caught.value.code == 8
    assert "cannot query search index default while in state INITIAL_SYNC" in str(caught.value)
    clock.now += 5
    assert search(things, "title", "red") == [1]


def test_what_is_written_during_the_build_is_found_after_it(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    things.insert_one({"_id": 2, "title": "red"})
    things.delete_one({"_id": 1})
    clock.now += 10
    assert search(things, "title", "red") == [2]


def test_the_old_definition_serves_until_the_new_one_is_ready(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    clock.now += 10
    things.update_search_index("default", TITLE_ONLY)
    clock.now += 5
    entry = listed(things)
    assert (entry["status"], entry["queryable"]) == ("BUILDING", True)
    assert entry["latestDefinition"] == TITLE_ONLY
    assert entry["latestDefinitionVersion"]["version"] == 1
    (host,) = entry["statusDetail"]
    assert host["mainIndex"]["definition"] == DYNAMIC
    assert host["stagedIndex"]["definition"] == TITLE_ONLY
    assert search(things, "body", "blue") == [1]
    clock.now += 5
    assert search(things, "body", "blue") == []
    assert "stagedIndex" not in listed(things)["statusDetail"][0]


def test_a_failed_build_is_told_and_not_queried(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    things.deployment.fail_index_build("shop", "things", "default", "no space")
    clock.now += 10
    entry = listed(things)
    assert (entry["status"], entry["queryable"]) == ("FAILED", False)
    assert entry["statusDetail"][0]["mainIndex"]["message"] == "no space"
    with pytest.raises(OperationFailure, match="while in state FAILED"):
        search(things, "title", "red")
    things.update_search_index("default", TITLE_ONLY)
    clock.now += 10
    assert search(things, "title", "red") == [1]


def test_the_old_definition_goes_on_serving_when_the_new_one_fails(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    clock.now += 10
    things.update_search_index("default", TITLE_ONLY)
    things.deployment.fail_index_build("shop", "things", "default", "no space")
    clock.now += 10
    entry = listed(things)
    assert (entry["status"], entry["queryable"]) == ("FAILED", True)
    assert search(things, "body", "blue") == [1]


def test_builds_can_be_ended_by_hand() -> None:
    with LocalClient(index_delay=math.inf) as client:
        things = client["shop"]["things"]
        things.insert_one({"_id": 1, "title": "red"})
        things.create_search_index(SearchIndexModel(DYNAMIC))
        assert not listed(things)["queryable"]
        client.finish_index_builds()
        assert search(things, "title", "red") == [1]


def test_creating_the_same_index_again_is_no_error(things: Any) -> None:
    things.create_search_index(SearchIndexModel(VECTORS, "v", "vectorSearch"))
    first = listed(things, "v")["id"]
    things.create_search_index(SearchIndexModel(VECTORS, "v", "vectorSearch"))
    assert listed(things, "v")["id"] == first


def test_refusals_have_the_servers_codes(things: Any) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    vector_model = SearchIndexModel(VECTORS, "default", "vectorSearch")
    absent = things.database["absent"]
    assert code(lambda: things.create_search_index(SearchIndexModel(TITLE_ONLY))) == 68
    assert code(lambda: things.create_search_index(vector_model)) == 68
    assert code(lambda: things.update_search_index("nope", DYNAMIC)) == 27
    assert code(lambda: things.drop_search_index("nope")) == 27
    assert code(lambda: absent.create_search_index(SearchIndexModel(DYNAMIC))) == 26
    assert code(lambda: things.update_search_index("default", VECTORS)) == 197
    assert code(lambda: things.create_search_index(SearchIndexModel({}, "x"))) == 125
    assert code(lambda: things.create_search_index(SearchIndexModel(VECTORS, "x", "other"))) == 125
    assert absent.drop_search_index("nope") is None


@pytest.mark.parametrize("stage", ["$search", "$searchMeta", "$vectorSearch"])
def test_a_missing_index_or_collection_gives_an_empty_result(things: Any, stage: str) -> None:
    vector = {"index": "x", "path": "v", "queryVector": [1.0, 0.0], "limit": 1, "numCandidates": 1}
    body = vector if stage == "$vectorSearch" else {"index": "x", "exists": {"path": "title"}}
    found = list(things.aggregate([{stage: body}]))
    assert found == ([{"count": {"total": 0}}] if stage == "$searchMeta" else [])
    assert list(things.database["absent"].aggregate([{stage: body}])) == []


def test_a_dropped_index_is_gone(things: Any, clock: Clock) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    clock.now += 10
    things.drop_search_index("default")
    assert list(things.list_search_indexes()) == []
    assert search(things, "title", "red") == []


def test_one_bad_index_of_several_creates_none(things: Any) -> None:
    models = [SearchIndexModel(DYNAMIC, "good"), SearchIndexModel({}, "bad")]
    assert code(lambda: things.create_search_indexes(models)) == 125
    assert list(things.list_search_indexes()) == []


def test_an_index_can_be_named_by_its_id(things: Any) -> None:
    things.create_search_index(SearchIndexModel(DYNAMIC))
    identifier = listed(things)["id"]
    things.database.command({"updateSearchIndex": "things", "id": identifier, "definition": TITLE_ONLY})
    assert listed(things)["latestDefinition"] == TITLE_ONLY
    both = {"dropSearchIndex": "things", "id": identifier, "name": "default"}
    assert code(lambda: things.database.command(both)) == 72
    things.database.command({"dropSearchIndex": "things", "id": identifier})
    assert list(things.list_search_indexes()) == []


@pytest.mark.parametrize(
    ("kind", "definition", "text"),
    [
        ("search", {"analyzer": "nope", "mappings": {}}, "references non-existent analyzers: nope"),
        (
            "search",
            {"mappings": {"dynamic": {"typeSet": "nope"}}},
            "Invalid typeSets defined in index definition: [nope]",
        ),
        ("search", {**DYNAMIC, "sort": {"a": 1}}, "Sort fields: [a] are not statically defined"),
        ("vectorSearch", {"fields": []}, '"fields" cannot be empty'),
        (
            "vectorSearch",
            {**VECTORS, "nestedRoot": "a"},
            'nestedRoot "a" does not match any vector field path in the index definition',
        ),
    ],
)
def test_what_creation_refuses_behind_the_parser(
    things: Any, kind: str, definition: dict[str, Any], text: str
) -> None:
    with pytest.raises(OperationFailure) as refused:
        things.create_search_index(SearchIndexModel(definition, "new", kind))
    assert (refused.value.code, refused.value.details["errmsg"]) == (125, text)
    things.create_search_index(SearchIndexModel(VECTORS if kind == "vectorSearch" else DYNAMIC, "old", kind))
    with pytest.raises(OperationFailure, match="\\W".join(text.split()[:2])):
        things.update_search_index("old", definition)
