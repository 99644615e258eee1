"""Unique indexes: which keys a document has, and who holds each of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from copy import copy
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import MISSING, sort_key
from atlas_rag.inprocess.rendering import render

Document = Mapping[str, Any]
Condition = Callable[[Document], bool]


class DuplicateKeyError(CommandError):
    """11000: two documents with one key of a unique index."""

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

    def copy(self) -> UniqueIndex:
        """Returns an index with the same keys, held by the same rows."""
        made = copy(self)
        made._holders = dict(self._holders)
        return made

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
        for values in entries([Step(document, path) for path in self._paths]):
            if not (self._sparse and all(value is MISSING for value in values)):
                plain = [None if value is MISSING else value for value in values]
                keys[tuple(map(sort_key, plain))] = dict(zip(self.pattern, values, strict=True))
        return keys


class Step(NamedTuple):
    """How far one field of an index has been followed into a document.

    Attributes:
        value: what was reached.
        path: the components that are left.
        name: the component that led here, for error texts.
    """

    value: Any
    path: list[str]
    name: str = ""


def entries(steps: list[Step]) -> Iterator[list[Any]]:
    """Yields the index entries of a document: one, or one for each element of an array on the way.

    Raises:
        CommandError: 171, the fields go through two different arrays.
    """
    reached = [_walk(step) for step in steps]
    arrays = [step for step in reached if isinstance(step.value, list)]
    if not arrays:
        yield [step.value for step in reached]
        return
    array = arrays[0].value
    for other in arrays:
        if other.value is not array:
            text = f"cannot index parallel arrays [{other.name}] [{arrays[0].name}]"
            raise CommandError(171, text)
    for element in array or [None]:
        yield from _element_entries(element, reached, array)


def _element_entries(element: Any, reached: list[Step], array: list[Any]) -> Iterator[list[Any]]:
    """Entries of one element; an array directly inside an array is a value of its own."""
    ends = [step.value is array and not step.path for step in reached]
    onward = [
        step._replace(value=element) if step.value is array else step
        for step, end in zip(reached, ends, strict=True)
        if not end
    ]
    for values in entries(onward) if onward else [[]]:
        rest = iter(values)
        yield [element if end else next(rest) for end in ends]


def _walk(step: Step) -> Step:
    value, name = step.value, step.name
    for position, component in enumerate(step.path):
        if isinstance(value, Mapping):
            value = value.get(component, MISSING)
        elif isinstance(value, list):
            if not component.isdigit():
                return Step(value, step.path[position:], name)
            value = value[int(component)] if int(component) < len(value) else MISSING
        else:
            return Step(MISSING, [], name)
        name = component
    return Step(value, [], name)
