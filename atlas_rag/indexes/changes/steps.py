"""The changes that can be made to one index, each of which may be repeated without harm."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from atlas_rag.errors import Code, SearchIndexError, ServerError
from atlas_rag.indexes.changes.compare import differences
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.state import list_states
from atlas_rag.indexes.waiting.patience import Patience
from atlas_rag.wire import Clock, Command, Flow

GONE_TIMEOUT = 120.0
"""Seconds that a dropped index is given to end before its name is used again."""

ENGINE_START = 30.0
"""Seconds that a search engine is given to start."""

NAME_TAKEN = 68
MISSING_COLLECTION = 26
UNKNOWN_INDEX = 27
ILLEGAL = 20
"""Atlas says with it that the quota is used up, that a name is taken, or that an index is going already."""


def create(namespace: str, wanted: WantedIndex, clock: Clock) -> Flow[None]:
    """Creates an index, once an old one of its name is gone. One that means the same counts as made.

    Raises:
        SearchIndexError: INDEX_QUOTA, INDEX_CONFLICT, INDEX_NOT_READY (the old one does not go),
            INDEX_MISSING (there is no such collection).
    """
    yield from _until_gone(namespace, wanted.name, clock)
    try:
        body = {"createSearchIndexes": _collection(namespace), "indexes": [wanted.to_dict()]}
        yield from _send(body, clock)
    except ServerError as error:
        if error.server_code == MISSING_COLLECTION:
            raise _no_collection(namespace) from error
        if error.server_code == ILLEGAL and "maximum number" in error.server_message:
            raise _quota(namespace, error) from error
        if error.server_code not in (NAME_TAKEN, ILLEGAL):
            raise
        if not (yield from _is_there(namespace, wanted)):
            raise _conflict(namespace, wanted) from error


def update(namespace: str, wanted: WantedIndex, clock: Clock) -> Flow[None]:
    """Gives an index another definition; the old one serves until the new one is built."""
    definition = wanted.to_dict()["definition"]
    body = {"updateSearchIndex": _collection(namespace), "name": wanted.name, "definition": definition}
    yield from _send(body, clock)


def replace(namespace: str, wanted: WantedIndex, clock: Clock) -> Flow[None]:
    """Drops an index and creates another of its name."""
    yield from drop(namespace, wanted.name, clock)
    yield from create(namespace, wanted, clock)


def drop(namespace: str, name: str, clock: Clock) -> Flow[None]:
    """Drops an index. One that is gone or going counts as dropped."""
    try:
        yield from _send({"dropSearchIndex": _collection(namespace), "name": name}, clock)
    except ServerError as error:
        going = error.server_code == ILLEGAL and "deleted" in error.server_message
        if not going and error.server_code not in (UNKNOWN_INDEX, MISSING_COLLECTION):
            raise


def create_collection(namespace: str, clock: Clock) -> Flow[None]:
    """Makes an empty collection; one that exists is left alone."""
    try:
        yield from _send({"create": _collection(namespace)}, clock)
    except ServerError as error:
        if error.server_code != 48:  # NamespaceExists
            raise


def _collection(namespace: str) -> str:
    return namespace.partition(".")[2]


def _send(body: dict[str, Any], clock: Clock) -> Flow[None]:
    """Sends a command, which may be repeated: drivers do that for none of these.

    Once more if the connection is lost; and for a while if the search engine does not answer, which it does
    only some seconds after a deployment has started.
    """
    patience, lost = Patience(ENGINE_START, clock), 0
    while True:
        try:
            yield Command(body)
            return
        except ServerError as error:
            lost += error.code is Code.CONNECTION_LOST
            starting = error.code is Code.SEARCH_ENGINE_DOWN and not patience.over
            if not starting and not (error.code is Code.CONNECTION_LOST and lost == 1):
                raise
        yield patience.pause()


def _until_gone(namespace: str, name: str, clock: Clock) -> Flow[None]:
    """Waits for an old index of this name to end: a new one would be confused with it."""
    patience = Patience(GONE_TIMEOUT, clock)
    while True:
        state = (yield from list_states(_collection(namespace))).get(name)
        if state is None or not state.going:
            return
        if patience.over:
            raise SearchIndexError(
                f"The old index {name!r} on {namespace} is still being deleted",
                expected=f"gone within {GONE_TIMEOUT:.0f} s",
                next_step="run this again later, or choose another name",
                code=Code.INDEX_NOT_READY,
            )
        yield patience.pause()


def _is_there(namespace: str, wanted: WantedIndex) -> Generator[Any, Any, bool]:
    state = (yield from list_states(_collection(namespace))).get(wanted.name)
    if state is None or state.type != wanted.type or state.going:
        return False
    return not differences(wanted.type, state.definition, wanted.to_dict()["definition"])


def _no_collection(namespace: str) -> SearchIndexError:
    return SearchIndexError(
        f"There is no collection {namespace}",
        expected="a collection to index",
        next_step="correct the name, write documents first, or ask for it to be created",
        code=Code.INDEX_MISSING,
    )


def _quota(namespace: str, error: ServerError) -> SearchIndexError:
    return SearchIndexError(
        f"{namespace} can have no more indexes: {error.server_message}",
        expected="no more search indexes than the tier allows on the whole deployment",
        next_step="drop an index, or move to a larger tier",
        code=Code.INDEX_QUOTA,
    )


def _conflict(namespace: str, wanted: WantedIndex) -> SearchIndexError:
    return SearchIndexError(
        f"An index {wanted.name!r} with another definition was made on {namespace} meanwhile",
        expected="nobody else to define it",
        next_step="plan again, or choose another name: names are shared by a collection and its views",
        code=Code.INDEX_CONFLICT,
    )
