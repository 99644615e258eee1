"""Which array element a query matched: the index that `$` stands for in updates and projections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.mql.match import Predicate, compile_filter

Document = Mapping[str, Any]

# Operators that say nothing of a single element.
_ON_WHOLE_FIELD = {"$size", "$ne", "$nin", "$not", "$comment"}


def position_finder(query: Document) -> Callable[[Document], int | None]:
    """Returns a function that finds the matched element's index in a document that the query matches.

    The element is the first one, of the first array on the way, that satisfies a clause alone; of several
    clauses that go through arrays the last one counts, as on a server.
    """
    clauses = [(path.split("."), compile_filter({path: condition})) for path, condition in _clauses(query)]

    def find(document: Document) -> int | None:
        position = None
        for path, matches in clauses:
            found = _first_match(document, path, matches)
            position = position if found is None else found
        return position

    return find


def _clauses(query: Document) -> Iterator[tuple[str, Any]]:
    for name, condition in query.items():
        if name in ("$and", "$or"):
            for part in condition:
                yield from _clauses(part)
        elif not name.startswith("$"):
            if isinstance(condition, Mapping) and _ON_WHOLE_FIELD.intersection(condition):
                condition = {key: value for key, value in condition.items() if key not in _ON_WHOLE_FIELD}
                if not condition:
                    continue
            yield name, condition


def _first_match(document: Document, path: list[str], matches: Predicate) -> int | None:
    array: Any = document
    depth = 0
    while isinstance(array, Mapping) and depth < len(path):
        array = array.get(path[depth])
        depth += 1
    if not isinstance(array, list):
        return None
    for position, element in enumerate(array):
        alone: Any = [element]
        for name in reversed(path[:depth]):
            alone = {name: alone}
        if matches(alone):
            return position
    return None
