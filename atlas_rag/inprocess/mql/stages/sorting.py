"""Sort patterns of stages and window functions, compiled into keys of rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.metadata import FLOORS, SORTABLE, check_meta
from atlas_rag.inprocess.mql.expressions.scope import Scope
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.mql.values.compound_sorting import compound_keys
from atlas_rag.inprocess.mql.values.numbers import rounded
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.sorting import field_key, field_value, sorted_in_runs, value_key
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field

RowKey = Callable[[Row], Key]
RowValue = Callable[[Row], Any]


class Order:
    """A compound order of rows: parts of (key, descending), the first part counts most.

    Args:
        values: by part, the value behind the key.
    """

    def __init__(self, parts: list[tuple[RowKey, bool]], values: Sequence[RowValue] = ()) -> None:
        self.parts = parts
        self._values = values

    def values(self, row: Row) -> list[Any]:
        """Returns what `$meta: "sortKey"` shows of a row."""
        return [value(row) for value in self._values]

    @property
    def is_single(self) -> bool:
        """True if one key decides alone; `key` and `descending` are then the whole order."""
        return len({descending for _, descending in self.parts}) == 1

    @property
    def descending(self) -> bool:
        """The direction of a single order."""
        return self.parts[0][1]

    def key(self, row: Row) -> Key:
        """Returns the compound key, which says when two rows tie."""
        if len(self.parts) == 1:
            return self.parts[0][0](row)
        return tuple([key(row) for key, _ in self.parts])

    def sorted(self, rows: Iterable[Row]) -> list[Row]:
        """Returns the rows in order; rows that tie keep theirs."""
        ordered = list(rows)
        if self.is_single:
            return sorted_in_runs(ordered, self.key, reverse=self.descending)
        for key, descending in reversed(self.parts):
            ordered = sorted_in_runs(ordered, key, reverse=descending)
        return ordered


def compile_sort(argument: Any, scope: Scope) -> Order:
    """Returns the order of a `$sort` argument.

    Raises:
        CommandError: code 15973 to 15976 (malformed), 17312, 31138, 31218 and 40218 (metadata).
    """
    if not isinstance(argument, Mapping):
        raise CommandError(15973, "the $sort key specification must be an object")
    if not argument:
        raise CommandError(15976, "$sort stage must have at least one sort key")
    return compile_pattern(argument, scope)


def compile_pattern(argument: Mapping[str, Any], scope: Scope) -> Order:
    """Returns the order of a pattern, which may be empty. Raises what `compile_sort` says of its parts."""
    parts = [_part(path, direction, scope) for path, direction in argument.items()]
    for direction in argument.values():
        if isinstance(direction, Mapping):
            check_meta(direction["$meta"], scope)
    _sort_together(argument, parts)
    values = [_value(path, direction) for path, direction in argument.items()]
    return Order(parts, values)


def _sort_together(argument: Mapping[str, Any], parts: list[tuple[RowKey, bool]]) -> None:
    """Puts keys that know of one another in the place of those of single fields, where there are several."""
    fields = [at for at, way in enumerate(argument.values()) if not isinstance(way, Mapping)]
    if len(fields) < 2:
        return
    paths = list(argument)
    keys = compound_keys([paths[at] for at in fields], [parts[at][1] for at in fields])
    for at, key in zip(fields, keys, strict=True):
        parts[at] = (_of_document(key), parts[at][1])


def _of_document(key: Callable[[Any], Key]) -> RowKey:
    return lambda row: key(row.doc)


def _value(path: str, direction: Any) -> RowValue:
    if isinstance(direction, Mapping):
        name = direction["$meta"]
        return lambda row: row.meta.get(name)
    value = field_value(path, rounded(direction) < 0)
    return lambda row: value(row.doc)


def _part(path: str, direction: Any, scope: Scope) -> tuple[RowKey, bool]:
    if isinstance(direction, Mapping):
        return _metadata_key(direction, scope), True
    if not is_number(direction):
        raise CommandError(15974, f"Illegal key in $sort specification: {render_field(path, direction)}")
    step = rounded(direction)
    if step not in (1, -1):
        text = "$sort key ordering must be 1 (for ascending) or -1 (for descending)"
        raise CommandError(15975, text)
    check_path(path)
    key = field_key(path, step < 0)
    return (lambda row: key(row.doc)), step < 0


def _metadata_key(direction: Mapping[str, Any], scope: Scope) -> RowKey:
    name = direction.get("$meta")
    if next(iter(direction), None) != "$meta":
        raise CommandError(17312, "$meta is the only expression supported by $sort right now")
    if len(direction) > 1:
        raise CommandError(9, "Cannot have additional keys in a $meta sort specification")
    if not isinstance(name, str) or name not in FLOORS or FLOORS[name] > scope.release:
        raise CommandError(31138, f"Illegal $meta sort: {render_field('$meta', name)}")
    if name not in SORTABLE or (name not in scope.metadata and name in ("searchScore", "searchHighlights")):
        raise CommandError(31218, f"$meta sort by '{name}' metadata is not supported")
    if name == "randVal":
        return lambda _: (random.random(),)  # noqa: S311 - a shuffle, not a secret
    return lambda row: value_key(row.meta.get(name, MISSING), True)
