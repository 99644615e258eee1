"""Whole lives of search indexes, played by a scripted server to each kind of driver. Nothing sleeps."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import Code, SearchIndexError, ServerError
from atlas_rag.indexes import Action, Waiting, ensure_indexes, plan_indexes, wait_for_indexes
from tests.support.scripted import DROP, failure
from tests.together.wire.faces import KINDS
from tests.together.wire.index_life import (
    FILTERED,
    NAMESPACE,
    TEXT,
    VECTOR,
    Film,
    HandClock,
    changes,
    entry,
    playing,
    pump,
)

each_driver = pytest.mark.parametrize("kind", KINDS)


def ensure(kind: str, server: Any, *wanted: Any, clock: HandClock | None = None, **options: Any) -> Any:
    clock = clock or HandClock()
    protocol = ensure_indexes(NAMESPACE, wanted or (VECTOR,), clock=clock, **options)
    return pump(kind, server.uri, protocol, clock)


@each_driver
def test_created_pending_building_ready(kind: str) -> None:
    seen: list[Waiting] = []
    clock = HandClock()
    film = ([], [], [], [entry(VECTOR, "PENDING")], [entry(VECTOR, "BUILDING")], [entry(VECTOR)])
    with playing(*film) as server:
        (state,) = ensure(kind, server, clock=clock, progress=seen.append)
    assert changes(server) == ["createSearchIndexes"]
    assert [dict(look.states)["vectors"] for look in seen] == [
        "DOES_NOT_EXIST",
        "PENDING",
        "BUILDING",
        "ready",
    ]
    assert (state.name, state.queryable, clock.pauses) == ("vectors", True, [0.05, 0.1, 0.2])


@each_driver
def test_an_update_is_ready_only_when_the_new_definition_serves(kind: str) -> None:
    seen: list[Waiting] = []
    film = (
        [entry(VECTOR)],
        [entry(VECTOR)],
        [entry(FILTERED, "BUILDING", queryable=True, version=1)],
        [entry(FILTERED, "STALE", version=1, serving=0)],
        [entry(FILTERED, version=1, serving=1)],
    )
    with playing(*film) as server:
        (state,) = ensure(kind, server, FILTERED, progress=seen.append)
    assert changes(server) == ["updateSearchIndex"]
    assert [dict(look.states)["vectors"] for look in seen] == [
        "READY with another definition",
        "BUILDING, the old definition serves",
        "STALE, the old definition serves",
        "ready",
    ]
    assert state.version == 1


@each_driver
def test_a_failure_is_told_at_once_with_the_servers_reason(kind: str) -> None:
    clock = HandClock()
    film = ([], [], [entry(VECTOR, "BUILDING")], [entry(VECTOR, "FAILED", message="too many fields")])
    with playing(*film) as server, pytest.raises(SearchIndexError) as caught:
        ensure(kind, server, clock=clock)
    assert caught.value.code is Code.INDEX_FAILED
    assert "too many fields" in str(caught.value)
    assert clock.now < 1


@each_driver
def test_an_old_index_of_the_name_is_waited_out_before_the_new_one_is_made(kind: str) -> None:
    going = entry(FILTERED, "DELETING")
    film = ([going], [going], [going], [], [entry(VECTOR, "BUILDING"), going], [entry(VECTOR)])
    with playing(*film) as server:
        ensure(kind, server)
    names = [next(iter(command)) for command in server.commands]
    assert names == ["aggregate"] * 4 + ["createSearchIndexes"] + ["aggregate"] * 2


@each_driver
def test_the_quota_is_named(kind: str) -> None:
    refusal = failure(
        20, "The maximum number of FTS indexes has been reached for this instance size.", "IllegalOperation"
    )
    with playing([], createSearchIndexes=[refusal]) as server, pytest.raises(SearchIndexError) as caught:
        ensure(kind, server)
    assert caught.value.code is Code.INDEX_QUOTA
    assert "maximum number" in str(caught.value)


@each_driver
def test_of_two_that_apply_at_once_the_slower_takes_the_others_index(kind: str) -> None:
    refusal = failure(68, "Index vectors already exists with a different definition.", "IndexAlreadyExists")
    film = ([], [], [entry(VECTOR, "BUILDING")], [entry(VECTOR)])
    with playing(*film, createSearchIndexes=[refusal]) as server:
        (state,) = ensure(kind, server)
    assert state.queryable


@each_driver
def test_of_two_that_want_different_things_one_is_told(kind: str) -> None:
    refusal = failure(20, 'An index named "vectors" is already defined for collection docs.')
    film = ([], [], [entry(FILTERED, "BUILDING")])
    with playing(*film, createSearchIndexes=[refusal]) as server, pytest.raises(SearchIndexError) as caught:
        ensure(kind, server)
    assert caught.value.code is Code.INDEX_CONFLICT


@each_driver
@pytest.mark.parametrize(
    ("film", "replies"),
    [
        pytest.param(([DROP, []] + [[]] * 2 + [[entry(VECTOR)]]), {}, id="planning"),
        pytest.param(([], [], [entry(VECTOR)]), {"createSearchIndexes": [DROP]}, id="creating"),
        pytest.param(([], [], DROP, DROP, DROP, [entry(VECTOR)]), {}, id="waiting"),
    ],
)
def test_a_connection_lost_in_a_step_does_no_harm(kind: str, film: Any, replies: Any) -> None:
    with playing(*film, **{name: list(queue) for name, queue in replies.items()}) as server:
        (state,) = ensure(kind, server)
    assert state.queryable
    assert set(changes(server)) == {"createSearchIndexes"}


@each_driver
def test_a_connection_lost_twice_is_an_error_and_the_next_run_goes_on(kind: str) -> None:
    with playing([], createSearchIndexes=[DROP, DROP]) as server:
        with pytest.raises(ServerError) as caught:
            ensure(kind, server)
        assert caught.value.code is Code.CONNECTION_LOST
        server.script = Film(([entry(VECTOR)],))
        ensure(kind, server)
    assert changes(server) == ["createSearchIndexes"] * 2


@each_driver
def test_a_search_engine_that_is_starting_is_waited_for(kind: str) -> None:
    refusal = failure(125, "Error connecting to Search Index Management service.", "CommandFailed")
    clock = HandClock()
    with playing([], [], [entry(VECTOR)], createSearchIndexes=[refusal] * 4) as server:
        ensure(kind, server, clock=clock)
    assert changes(server) == ["createSearchIndexes"] * 5
    with playing([], createSearchIndexes=[refusal] * 100) as server, pytest.raises(ServerError) as caught:
        ensure(kind, server, clock=clock)
    assert caught.value.code is Code.SEARCH_ENGINE_DOWN
    assert clock.now < 35


@each_driver
@pytest.mark.parametrize("at", ["aggregate", "createSearchIndexes"])
def test_a_missing_privilege_is_said_as_such(kind: str, at: str) -> None:
    refusal = failure(13, f"not authorized on app to execute command {{ {at}: 'docs' }}", "Unauthorized")
    film, replies = ((refusal,), {}) if at == "aggregate" else (([],), {at: [refusal]})
    with playing(*film, **replies) as server, pytest.raises(ServerError) as caught:
        ensure(kind, server)
    assert caught.value.code is Code.NOT_AUTHORIZED
    assert "execute command" not in str(caught.value)


@each_driver
def test_what_is_there_is_kept(kind: str) -> None:
    with playing([entry(VECTOR), entry(TEXT)]) as server:
        plan = pump(kind, server.uri, plan_indexes(NAMESPACE, [VECTOR, TEXT]))
    assert [change.action for change in plan.changes] == [Action.KEEP, Action.KEEP]
    assert plan.pending == ()


def test_the_time_limit_is_an_error_that_carries_the_last_state() -> None:
    clock = HandClock()
    with playing([entry(VECTOR, "BUILDING")]) as server, pytest.raises(SearchIndexError) as caught:
        pump("sync", server.uri, wait_for_indexes(NAMESPACE, [VECTOR], clock=clock), clock)
    assert caught.value.code is Code.INDEX_NOT_READY
    assert "'vectors': 'BUILDING'" in str(caught.value)
    assert clock.now == pytest.approx(300)
    assert max(clock.pauses) == 2.0


def test_ready_without_queryable_is_not_ready() -> None:
    """As look-alike servers list hidden indexes."""
    clock = HandClock()
    hidden = entry(VECTOR, "READY", queryable=False)
    with playing([hidden]) as server, pytest.raises(SearchIndexError, match="READY, not queryable"):
        pump("sync", server.uri, wait_for_indexes(NAMESPACE, [VECTOR], timeout=1, clock=clock), clock)


def test_an_index_that_goes_or_never_comes_ends_the_wait() -> None:
    for film, longest in (([entry(VECTOR, "DELETING")], 0.1), ([], 8.0)):
        clock = HandClock()
        with playing(film) as server, pytest.raises(SearchIndexError) as caught:
            pump("sync", server.uri, wait_for_indexes(NAMESPACE, [VECTOR], clock=clock), clock)
        assert caught.value.code is Code.INDEX_MISSING
        assert clock.now < longest


def test_the_failure_of_an_older_definition_is_not_that_of_the_new_one() -> None:
    film = ([entry(FILTERED, "FAILED", message="old")], [entry(VECTOR, "BUILDING")], [entry(VECTOR)])
    with playing(*film) as server:
        (state,) = pump("sync", server.uri, wait_for_indexes(NAMESPACE, [VECTOR], clock=HandClock()))
    assert state.status == "READY"
