"""Sorting by fields: an array counts as its least element ascending, as its greatest one descending."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import Any, TypeVar

from bson import DBRef

from atlas_rag.inprocess.interruption import watched, watched_rows
from atlas_rag.inprocess.mql.values.order import EMPTY_ARRAY_KEY, NULL_RANK, Key, sort_key
from atlas_rag.inprocess.mql.values.types import MISSING, Document

T = TypeVar("T")

LONGEST_RUN = 8192
"""Items that are sorted at once."""

NULL_KEY: Key = (NULL_RANK,)


def _array_key(items: list[Any], descending: bool) -> Key:
    if not items:
        return EMPTY_ARRAY_KEY
    keys = map(sort_key, items)
    return max(keys) if descending else min(keys)


def value_key(value: Any, descending: bool) -> Key:
    """Returns the key by which a field's value sorts; a missing field sorts as null."""
    if value is MISSING:
        return NULL_KEY
    if isinstance(value, list):
        return _array_key(value, descending)
    return sort_key(value)


def field_key(path: str, descending: bool) -> Callable[[Document], Key]:
    """Returns a function that gives a document's sort key for one path."""
    if "." not in path:
        return lambda document: value_key(document.get(path, MISSING), descending)
    parts = path.split(".")
    choose = max if descending else min

    def key(document: Document) -> Key:
        return choose(value_key(value, descending) for value in _values_on(document, parts))

    return key


def field_value(path: str, descending: bool) -> Callable[[Document], Any]:
    """Returns a function that gives the value by which a document sorts for one path: `$meta: "sortKey"`."""
    parts = path.split(".")
    choose = max if descending else min

    def value(document: Document) -> Any:
        chosen = choose(_values_on(document, parts), key=lambda leaf: value_key(leaf, descending))
        if isinstance(chosen, list):
            return choose(chosen, key=sort_key, default=None)
        return None if chosen is MISSING else chosen

    return value


def _values_on(value: Any, parts: list[str]) -> Iterator[Any]:
    """Yields the values that an index over the path would hold for a document, final arrays as a whole."""
    for position, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
            continue
        if isinstance(value, DBRef):
            value = value.as_doc().get(name, MISSING)
            continue
        if isinstance(value, list):
            yield from _values_in_array(value, parts[position:])
            return
        value = MISSING
        break
    yield value


def _values_in_array(items: list[Any], parts: list[str]) -> Iterator[Any]:
    head, rest = parts[0], parts[1:]
    if is_position(items, head):
        element = items[int(head)]
        yield from _values_on(element, rest) if rest else iter([element])
        return
    if not items:
        yield MISSING
    for item in items:
        yield from _values_on(item, parts) if isinstance(item, (dict, DBRef)) else iter([MISSING])


def sorted_in_runs(items: Sequence[T], key: Callable[[T], Any], *, reverse: bool = False) -> list[T]:
    """Returns what `sorted` does; many items in runs that are merged, so that a command can be interrupted.

    While Python sorts a list, no other thread of the process goes on: no run may be long.
    """
    if len(items) <= LONGEST_RUN:
        return sorted(items, key=key, reverse=reverse)
    runs = []
    for start in range(0, len(items), LONGEST_RUN):
        keyed = [(key(item), item) for item in watched(items[start : start + LONGEST_RUN])]
        keyed.sort(key=itemgetter(0), reverse=reverse)
        runs.append(keyed)
    merged = heapq.merge(*runs, key=itemgetter(0), reverse=reverse)
    return [item for _, item in watched_rows(merged)]


def is_position(items: list[Any], name: str) -> bool:
    """True if a part of a path names an element of an array: a field of that name in one goes before."""
    if not name.isdigit() or int(name) >= len(items):
        return False
    return not any(isinstance(item, dict) and name in item for item in items)


def sort_values(items: list[Any], pattern: Any) -> list[Any]:
    """Returns values in order of themselves (1, -1) or of the fields of a pattern document.

    Here an array counts as a whole, and a path goes into one by position only; what is no document sorts
    as null.
    """
    if not isinstance(pattern, Mapping):
        return sorted_in_runs(items, sort_key, reverse=pattern < 0)
    ordered = list(items)
    for path, direction in reversed(list(pattern.items())):
        parts = path.split(".")
        ordered = sorted_in_runs(ordered, partial(_plain_key, parts=parts), reverse=direction < 0)
    return ordered


def _plain_key(value: Any, parts: list[str]) -> Key:
    for position, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name)
        elif position and isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return NULL_KEY
    return sort_key(value)
