"""`localField` = `foreignField`: equality as `$in` has it, with arrays looked into on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from bson import DBRef

from atlas_rag.inprocess.interruption import watched_rows
from atlas_rag.inprocess.mql.match.paths import values_on
from atlas_rag.inprocess.mql.values import MISSING, Document, sort_key
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row

Keys = Callable[[Document], list[Key]]
_NULL = sort_key(None)


def join_keys(path: str) -> Keys:
    """Returns a function that gives the keys a local document looks for; null where it has no value."""
    parts = path.split(".")
    return lambda document: [sort_key(value) for value in path_values(document, parts)] or [_NULL]


def path_values(value: Any, parts: list[str]) -> Iterator[Any]:
    """Yields what a path leads to, arrays on the way and at the end element by element."""
    if not parts:
        yield from value if isinstance(value, list) else [value]
    elif isinstance(value, DBRef):
        yield from path_values(value.as_doc(), parts)
    elif isinstance(value, Mapping):
        if parts[0] in value:
            yield from path_values(value[parts[0]], parts[1:])
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, (Mapping, DBRef)):
                yield from path_values(item, parts)


class Joined:
    """The foreign documents under every key they can be found by; read on first use."""

    def __init__(self, local: Keys, foreign: str, documents: Callable[[], Iterable[Document]]) -> None:
        self._local, self._foreign, self._documents = local, foreign.split("."), documents
        self._found: dict[Key, list[int]] | None = None
        self._rows: list[Document] = []

    def matches(self, document: Document) -> Iterator[Row]:
        """Yields the foreign documents of one local document, in natural order."""
        if self._found is None:
            self._found = self._index()
        positions: set[int] = set()
        for key in self._local(document):
            positions.update(self._found.get(key, ()))
        return (Row(self._rows[position]) for position in sorted(positions))

    def among(self, document: Document, rows: Iterable[Row]) -> Iterator[Row]:
        """Yields those of the given foreign rows that match one local document."""
        wanted = set(self._local(document))
        return (row for row in rows if not wanted.isdisjoint(self._foreign_keys(row.doc)))

    def _foreign_keys(self, document: Document) -> Iterator[Key]:
        for value in values_on(document, self._foreign, True):
            yield _NULL if value is MISSING else sort_key(value)

    def _index(self) -> dict[Key, list[int]]:
        found: dict[Key, list[int]] = defaultdict(list)
        for position, document in enumerate(watched_rows(self._documents())):
            self._rows.append(document)
            for key in self._foreign_keys(document):
                found[key].append(position)
        return found
