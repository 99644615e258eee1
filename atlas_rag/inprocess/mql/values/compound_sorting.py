"""Sorting by several fields at once, where some lead through an array.

As in a compound index, each element of the array gives one entry with a value for every path, and the
document sorts by the entry that comes first. Paths that meet different arrays have no such entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values.order import EMPTY_ARRAY_KEY, Key, sort_key
from atlas_rag.inprocess.mql.values.sorting import NULL_KEY, is_position
from atlas_rag.inprocess.mql.values.types import MISSING, Document

DocumentKey = Callable[[Document], Key]


class _Place(NamedTuple):
    """How far a path has been followed: a key at its end, or an array with what is left of the path."""

    key: Key | None
    array: list[Any]
    rest: Sequence[str]


def compound_keys(paths: Sequence[str], descending: Sequence[bool]) -> list[DocumentKey]:
    """Returns, by path, the function that gives a document's sort key among the others.

    The functions raise code 2 for a document in which two paths meet different arrays.
    """
    split = [path.split(".") for path in paths]

    def chosen(document: Document) -> Sequence[Key]:
        entries = list(_entries([_follow(document, parts) for parts in split]))
        for position, falls in enumerate(descending):
            best = (max if falls else min)(entry[position] for entry in entries)
            entries = [entry for entry in entries if entry[position] == best]
        return entries[0]

    def key_of(position: int) -> DocumentKey:
        parts, path = split[position], paths[position]

        def key(document: Document) -> Key:
            alone = _follow(document, parts).key
            return alone if alone is not None else chosen(document)[position]

        def top_level_key(document: Document) -> Key:
            value = document.get(path, MISSING)
            if value.__class__ is list:
                return chosen(document)[position]
            return NULL_KEY if value is MISSING else sort_key(value)

        return key if len(parts) > 1 else top_level_key

    return [key_of(position) for position in range(len(split))]


def _follow(value: Any, parts: Sequence[str]) -> _Place:
    """Follows a path through documents, and by position into arrays, to its end or to an array."""
    for at, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, list) and is_position(value, name):
            value = value[int(name)]
        elif isinstance(value, list):
            return _Place(None, value, parts[at:])
        else:
            return _end(MISSING)
    return _Place(None, value, ()) if isinstance(value, list) else _end(value)


def _end(value: Any) -> _Place:
    return _Place(NULL_KEY if value is MISSING else sort_key(value), [], ())


def _entries(places: Sequence[_Place]) -> Iterator[Sequence[Key]]:
    """Yields the entries of a document whose paths have been followed to these places."""
    keys = [place.key for place in places if place.key is not None]
    if len(keys) == len(places):
        yield keys
        return
    arrays = [place.array for place in places if place.key is None]
    if any(array is not arrays[0] for array in arrays):
        raise CommandError(2, "cannot sort with keys that are parallel arrays")
    for element in arrays[0] or [MISSING]:
        yield from _entries([_within(place, element) for place in places])


def _within(place: _Place, element: Any) -> _Place:
    """Goes on from an array to one of its elements; `MISSING` stands for the only one of an empty array."""
    if place.key is not None:
        return place
    if place.rest:
        return _follow(element, place.rest) if isinstance(element, dict) else _end(MISSING)
    return _Place(EMPTY_ARRAY_KEY, [], ()) if element is MISSING else _end(element)
