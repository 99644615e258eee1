"""Plan, apply and roll back against the in-process engine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from atlas_rag import AsyncLocalClient, CallError, Code, SearchIndexError
from atlas_rag.drivers.choose import async_engine_for
from atlas_rag.indexes import (
    Action,
    Applied,
    IndexPlan,
    Previous,
    WantedIndex,
    apply_plan,
    ensure_indexes,
    plan_indexes,
    replace_index,
    rollback,
    tier,
    wait_until_searchable,
)
from atlas_rag.wire import adrive
from tests.sdk.unit.indexes.life import NAMESPACE, Place, texts, vectors


def plan(place: Place, *wanted: WantedIndex, **options: Any) -> IndexPlan:
    return place.run(plan_indexes(NAMESPACE, wanted, **options))


def applied(place: Place, *wanted: WantedIndex, drop: Any = (), allow: Any = ()) -> Applied:
    return place.run(apply_plan(plan(place, *wanted, drop=drop), allow=allow, clock=place))


def test_from_nothing_to_ready_and_the_second_run_changes_nothing() -> None:
    place = Place(delay=30)
    place.run(ensure_indexes(NAMESPACE, [vectors(), texts()], clock=place))
    assert 30 <= place.now < 35
    assert place.search("vectors") == [0, 1, 2, 3]
    then = place.now
    place.run(ensure_indexes(NAMESPACE, [vectors(), texts()], clock=place))
    assert place.now == then
    assert plan(place, vectors(), texts()).pending == ()


def test_during_an_update_the_old_definition_serves_and_the_wait_goes_on() -> None:
    place = Place(delay=30)
    place.run(ensure_indexes(NAMESPACE, [vectors()], clock=place))
    wider = vectors("vectors", "tenant")
    assert applied(place, wider).complete
    assert place.search("vectors") == [0, 1, 2, 3]
    then = place.now
    place.run(ensure_indexes(NAMESPACE, [wider], clock=place))
    assert place.now - then >= 29


@pytest.mark.parametrize(
    ("change", "danger"),
    [
        (vectors("i", numDimensions=3), "dimensions change"),
        (vectors("i", similarity="euclidean"), "similarity changes"),
        (WantedIndex("i", "search", {"mappings": {"dynamic": True}}), "the index is dropped"),
        (vectors("i"), "fields.filter tenant is no longer indexed"),
    ],
)
def test_dangerous_changes_are_refused_unless_allowed_by_name(change: WantedIndex, danger: str) -> None:
    place = Place()
    before = vectors("i", "tenant")
    applied(place, before)
    with pytest.raises(SearchIndexError, match=danger) as caught:
        applied(place, change)
    assert caught.value.code is Code.INDEX_CHANGE_REFUSED
    assert place.definitions() == {"i": before.definition}
    assert applied(place, change, allow=["i"]).complete
    assert place.definitions() == {"i": change.definition}


def test_fields_that_a_search_index_stops_to_map_are_a_danger() -> None:
    place = Place()
    applied(place, texts("i"))
    closed = WantedIndex("i", "search", {"mappings": {"dynamic": False, "fields": {"a": {"type": "token"}}}})
    (change,) = plan(place, closed).pending
    assert "fields without a mapping of their own" in change.danger


def test_an_index_that_is_not_wanted_is_left_alone_until_it_is_named() -> None:
    place = Place()
    applied(place, vectors(), texts())
    assert [change.action for change in plan(place, vectors()).changes] == [Action.KEEP]
    applied(place, vectors(), drop=["texts"], allow=["texts"])
    assert list(place.definitions()) == ["vectors"]
    gone = plan(place, drop=["texts"])
    assert gone.pending == ()


def test_the_first_failure_stops_and_says_what_is_left() -> None:
    place = Place()
    bad = WantedIndex("bad", "vectorSearch", {"fields": [{"type": "vector", "path": "v"}]})
    result = applied(place, texts(), bad, vectors())
    assert not result.complete
    assert [change.name for change in result.done] == ["texts"]
    assert result.failed is not None
    assert (result.failed.name, [change.name for change in result.left]) == ("bad", ["vectors"])
    assert "numDimensions" in str(result.error)
    place.run(rollback(result.previous, clock=place))
    assert place.definitions() == {}


def test_a_collection_is_made_only_where_that_is_asked_for() -> None:
    place = Place()
    place.collection.drop()
    result = applied(place, vectors())
    assert isinstance(result.error, SearchIndexError)
    assert result.error.code is Code.INDEX_MISSING
    assert "no collection app.docs" in str(result.error)
    asked = place.run(apply_plan(plan(place, vectors()), create_collection=True, clock=place))
    assert asked.complete
    assert list(place.definitions()) == ["vectors"]


def test_rollback_brings_back_create_update_replace_and_drop(tmp_path: Path) -> None:
    place = Place()
    applied(place, vectors("updated"), vectors("retyped"), vectors("dropped"))
    before = place.definitions()
    changes = (vectors("updated", "tenant"), texts("retyped"), texts("created"))
    result = applied(place, *changes, drop=["dropped"], allow=["retyped", "dropped"])
    assert set(place.definitions()) == {"updated", "retyped", "created"}
    file = tmp_path / "kept" / "previous.json"
    result.previous.write(file)
    lines = place.run(rollback(Previous.read(file), clock=place))
    assert lines == (
        "created dropped again",
        "dropped created",
        "replaced retyped with what was there",
        "updated updated to what was there",
    )
    assert place.definitions() == before
    assert place.run(rollback(Previous.read(file), clock=place)) == ()


def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]")
    with pytest.raises(CallError):
        Previous.read(tmp_path / "x.json")


def test_the_limits_of_a_tier_are_checked_before_anything_starts() -> None:
    place = Place()
    applied(place, vectors("a"), vectors("b"))
    with pytest.raises(SearchIndexError, match="2 indexes are there and 2 more are wanted") as caught:
        plan(place, vectors("c"), vectors("d"), limits=tier("free"))
    assert caught.value.code is Code.INDEX_QUOTA
    with pytest.raises(SearchIndexError, match="3 indexes are there"):
        plan(place, vectors("c"), limits=tier("free"), elsewhere=1)
    assert len(plan(place, vectors("a"), vectors("c"), limits=tier("free")).pending) == 1
    many = {f"f{i}": {"type": "token"} for i in range(301)}
    for definition, what in (
        ({"mappings": {"fields": many}}, "bytes"),
        ({"mappings": {"fields": {"a": [{"type": "token"}] * 301}}}, "bytes|fields"),
        (
            {
                "mappings": {"dynamic": True},
                "synonyms": [{"name": n, "source": {"collection": "s"}} for n in "ab"],
            },
            "synonym mappings",
        ),
    ):
        with pytest.raises(SearchIndexError, match=what):
            plan(place, WantedIndex("x", "search", definition), limits=tier("flex"))


def test_one_name_twice_is_refused() -> None:
    place = Place()
    for options in ({"wanted": [vectors(), vectors()]}, {"wanted": [vectors()], "drop": ["vectors"]}):
        with pytest.raises(SearchIndexError) as caught:
            place.run(plan_indexes(NAMESPACE, **options))
        assert caught.value.code is Code.INDEX_CONFLICT


def test_vectors_mapped_the_old_way_are_pointed_out() -> None:
    place = Place()
    old = {"type": "knnVector", "dimensions": 2, "similarity": "cosine"}
    applied(place, WantedIndex("default", "search", {"mappings": {"fields": {"v": old}}}))
    (change,) = plan(place, vectors()).pending
    assert "takes over v from default, which maps it as knnVector" in change.reasons[1]


def test_a_plan_is_told_to_people_and_to_machines() -> None:
    place = Place()
    applied(place, vectors(), texts("gone"))
    found = plan(place, vectors("vectors", "tenant"), texts(), drop=["gone"])
    assert str(found).splitlines()[:2] == ["app.docs: 3 changes", "  update  vectors"]
    as_json = found.to_dict()
    assert [change["action"] for change in as_json["changes"]] == ["update", "create", "drop"]
    assert as_json["changes"][2]["danger"] == "the index is dropped"


def test_replacement_never_leaves_a_gap() -> None:
    place = Place(delay=30)
    place.run(ensure_indexes(NAMESPACE, [vectors("serving")], clock=place))
    switched: list[tuple[str, str]] = []

    def switch(old: str, new: str) -> None:
        assert place.search(old) == place.search(new) == [0, 1, 2, 3]
        switched.append((old, new))

    new = place.run(replace_index(NAMESPACE, "serving", vectors("serving", "tenant"), switch, clock=place))
    assert switched == [("serving", new)]
    assert list(place.definitions()) == [new]
    again = place.run(replace_index(NAMESPACE, new, vectors("serving", "tenant"), switch, clock=place))
    assert again == new
    assert list(place.definitions()) == [new]


def test_a_switch_that_fails_leaves_the_old_index() -> None:
    place = Place()
    applied(place, vectors("serving"))

    def switch(old: str, new: str) -> None:
        raise ValueError("not today")

    with pytest.raises(ValueError, match="not today"):
        place.run(replace_index(NAMESPACE, "serving", vectors("serving", "tenant"), switch, clock=place))
    assert "serving" in place.definitions()
    assert place.search("serving") == [0, 1, 2, 3]


def test_documents_are_waited_for_apart_from_the_index() -> None:
    place = Place()
    applied(place, vectors(), texts())
    for index in (vectors(), texts()):
        assert place.run(wait_until_searchable(NAMESPACE, index, count=4, clock=place)) == 4
    assert place.run(wait_until_searchable(NAMESPACE, vectors(), ids=[1, 3], clock=place)) == 2
    assert place.run(wait_until_searchable(NAMESPACE, texts(), ids=[1, 3], clock=place)) == 2
    with pytest.raises(SearchIndexError, match="4 documents are found") as caught:
        place.run(wait_until_searchable(NAMESPACE, vectors(), count=5, timeout=3, clock=place))
    assert caught.value.code is Code.INDEX_NOT_READY
    assert place.now == pytest.approx(3)
    with pytest.raises(CallError):
        place.run(wait_until_searchable(NAMESPACE, vectors(), clock=place))


def test_four_that_apply_at_once_do_no_harm() -> None:
    place = Place()
    wanted = [vectors("a", "tenant"), texts("b"), vectors("c")]
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(place.run, ensure_indexes(NAMESPACE, wanted, clock=place)) for _ in range(4)]
    assert [len(one.result()) for one in found] == [3] * 4
    assert place.definitions() == {index.name: index.definition for index in wanted}


async def test_a_switch_may_be_asynchronous() -> None:
    place = Place(delay=30)
    switched: list[str] = []

    async def switch(old: str, new: str) -> None:
        switched.append(new)

    engine = async_engine_for(AsyncLocalClient.over(place.client)["app"]["docs"])
    protocol = replace_index(NAMESPACE, "none", vectors("serving"), switch, clock=place)
    new = await adrive(protocol, engine, place)
    assert switched == [new]
    assert place.search(new) == [0, 1, 2, 3]


def test_the_old_index_can_be_kept_for_a_quick_way_back() -> None:
    place = Place()
    applied(place, vectors("serving"))
    new = place.run(
        replace_index(
            NAMESPACE,
            "serving",
            vectors("serving", "tenant"),
            lambda old, new: None,
            keep_old=True,
            clock=place,
        )
    )
    assert set(place.definitions()) == {"serving", new}
