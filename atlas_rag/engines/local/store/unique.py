"""Unique indexes: which keys a document has, and who holds each of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render
from atlas_rag.engines.local.values import MISSING, sort_key

Document = Mapping[str, Any]
Condition = Callable[[Document], bool]


class DuplicateKeyError(CommandError):
    """11000: two documents with one key of a unique index. `details` go into the server's reply."""

    def __init__(self, namespace: str, index: str, pattern: Document, values: Document) -> None:
        super().__init__(
            11000,
            f"E11000 duplicate key error collection: {namespace} index: {index} dup key: {render(values)}",
        )
        self.details = {"keyPattern": dict(pattern), "keyValue": dict(values)}


class UniqueIndex:
    """The keys that documents of one collection have in one unique index.

    Args:
        namespace: "database.collection", for error texts.
        name: of the index.
        pattern: path to direction.
        sparse: documents without any of the fields have no key.
        condition: documents that it refuses have no key (`partialFilterExpression`).
    """

    def __init__(
        self,
        namespace: str,
        name: str,
        pattern: Mapping[str, Any],
        *,
        sparse: bool = False,
        condition: Condition | None = None,
    ) -> None:
        self.namespace = namespace
        self.name = name
        self.pattern = pattern
        self._paths = [path.split(".") for path in pattern]
        self._sparse = sparse
        self._condition = condition
        self._holders: dict[Hashable, int] = {}

    def claim(self, row: int, document: Document) -> None:
        """Takes the document's keys for a row. Raises `DuplicateKeyError`, and takes none then."""
        keys = self._keys(document)
        for key, values in keys.items():
            if self._holders.get(key, row) != row:
                shown = {path: None if value is MISSING else value for path, value in values.items()}
                raise DuplicateKeyError(self.namespace, self.name, self.pattern, shown)
        for key in keys:
            self._holders[key] = row

    def release(self, row: int, document: Document) -> None:
        """Gives the document's keys back."""
        for key in self._keys(document):
            if self._holders.get(key) == row:
                del self._holders[key]

    def _keys(self, document: Document) -> dict[Hashable, dict[str, Any]]:
        if self._condition is not None and not self._condition(document):
            return {}
        keys: dict[Hashable, dict[str, Any]] = {}
        for values in entries([(document, path) for path in self._paths]):
            if not (self._sparse and all(value is MISSING for value in values)):
                plain = [None if value is MISSING else value for value in values]
                keys[tuple(map(sort_key, plain))] = dict(zip(self.pattern, values, strict=True))
        return keys


Step = tuple[Any, list[str]]


def entries(steps: list[Step]) -> Iterator[list[Any]]:
    """Yields the index entries of a document: one, or one for each element of an array on the way.

    Args:
        steps: for each field of the index the value reached so far and the path that is left.

    Raises:
        CommandError: 171, the paths go through two different arrays.
    """
    reached = [_walk(value, path) for value, path in steps]
    arrays = [value for value, path in reached if isinstance(value, list)]
    if not arrays:
        yield [value for value, _ in reached]
        return
    array = arrays[0]
    if any(other is not array for other in arrays):
        raise CommandError(171, "cannot index parallel arrays", "CannotIndexParallelArrays")
    for element in array or [None]:
        inner = [(element, path) if value is array else (value, path) for value, path in reached]
        yield from _elements(inner, reached, array)


def _elements(inner: list[Step], reached: list[Step], array: list[Any]) -> Iterator[list[Any]]:
    """Entries of one element; an array directly inside an array is a value of its own."""
    ends = [value is array and not path for value, path in reached]
    nested = [(value, path) for (value, path), end in zip(inner, ends, strict=True) if not end]
    for values in entries(nested) if nested else [[]]:
        rest = iter(values)
        yield [value if end else next(rest) for (value, _), end in zip(inner, ends, strict=True)]


def _walk(value: Any, path: list[str]) -> Step:
    for position, name in enumerate(path):
        if isinstance(value, Mapping):
            value = value.get(name, MISSING)
        elif isinstance(value, list):
            if not name.isdigit():
                return value, path[position:]
            value = value[int(name)] if int(name) < len(value) else MISSING
        else:
            return MISSING, []
    return value, []
