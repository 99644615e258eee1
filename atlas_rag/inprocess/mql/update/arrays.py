"""Operators on arrays: `$push`, `$addToSet`, `$pull`, `$pullAll`, `$pop`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.update.fields import identity
from atlas_rag.inprocess.mql.update.tree import Change, Occasion, is_index
from atlas_rag.inprocess.mql.values import MISSING, numbers, sort_key, type_name
from atlas_rag.inprocess.rendering import render, render_field

Arrange = Callable[[list[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Push(Change):
    """`$push`: insert at a position, then sort, then slice.

    Args:
        position: None for the end; below 0 counted from the end.
        slice: how many to keep, from the end when below 0; None for all.
    """

    values: list[Any]
    position: int | None = None
    sort: Arrange | None = None
    slice: int | None = None

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING:
            value = []
        elif not isinstance(value, list):
            raise CommandError(
                2,
                f"The field '{path}' must be an array but is of type {type_name(value)} in document "
                f"{identity(occasion)}",
            )
        elif not self.values and self.sort is None and self.slice is None:
            return value
        at = len(value) if self.position is None else self.position
        result = [*value[:at], *self.values, *value[at:]]
        if self.sort is not None:
            result = self.sort(result)
        if self.slice is not None:
            result = result[: self.slice] if self.slice >= 0 else result[self.slice :]
        return result


@dataclass(frozen=True, slots=True)
class AddToSet(Change):
    """`$addToSet`."""

    values: list[Any]

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is not MISSING and not isinstance(value, list):
            raise CommandError(
                2,
                f"Cannot apply $addToSet to non-array field. Field named '{path.rpartition('.')[2]}' has "
                f"non-array type {type_name(value)}",
            )
        result = [] if value is MISSING else list(value)
        present = {sort_key(item) for item in result}
        for item in self.values:
            if (key := sort_key(item)) not in present:
                present.add(key)
                result.append(item)
        return value if value is not MISSING and len(result) == len(value) else result


@dataclass(frozen=True, slots=True)
class Pull(Change):
    """`$pull` and `$pullAll`: removes the elements that match."""

    needs_viable_path = True
    matches: Callable[[Any], bool]

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING:
            return value
        if not isinstance(value, list):
            raise CommandError(2, "Cannot apply $pull to a non-array value")
        kept = [item for item in value if not self.matches(item)]
        return value if len(kept) == len(value) else kept

    def creates(self, occasion: Occasion) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Pop(Change):
    """`$pop`."""

    needs_viable_path = True
    first: bool

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        if value is MISSING:
            return value
        if not isinstance(value, list):
            raise CommandError(
                14, f"Path '{path}' contains an element of non-array type '{type_name(value)}'"
            )
        if not value:
            return value
        return value[1:] if self.first else value[:-1]

    def creates(self, occasion: Occasion) -> bool:
        return False


# ---------------------------------------------------------------- reading the operators' arguments


def read_push(field: str, argument: Any) -> Change:
    """Reads one field of `$push`; a document with `$each` has modifiers."""
    if not isinstance(argument, Mapping) or "$each" not in argument:
        return Push([argument])
    for name in argument:
        if name not in ("$each", "$position", "$sort", "$slice"):
            raise CommandError(2, f"Unrecognized clause in $push: {name}")
    each = argument["$each"]
    if not isinstance(each, list):
        raise CommandError(
            2, f"The argument to $each in $push must be an array but it was of type: {type_name(each)}"
        )
    return Push(
        each,
        position=_whole("$position", argument, "an integer value, not of type:"),
        sort=_read_sort(argument["$sort"]) if "$sort" in argument else None,
        slice=_whole("$slice", argument, "an integer value but was given type:"),
    )


def _whole(name: str, modifiers: Mapping[str, Any], expectation: str) -> int | None:
    if name not in modifiers:
        return None
    number = numbers.whole(modifiers[name])
    if number is None:
        raise CommandError(2, f"The value for {name} must be {expectation} {type_name(modifiers[name])}")
    return number


def _read_sort(pattern: Any) -> Arrange:
    if isinstance(pattern, Mapping):
        fields = []
        for path, direction in pattern.items():
            if (order := numbers.whole(direction)) not in (1, -1):
                raise CommandError(2, "The sort element value must be either 1 or -1")
            fields.append((path.split("."), order == -1))
        return lambda array: _sorted_by_fields(array, fields)
    order = numbers.whole(pattern)
    if order is None:
        raise CommandError(
            2,
            "The $sort is invalid: use 1/-1 to sort the whole element, "
            "or {field:1/-1} to sort embedded fields",
        )
    if order not in (1, -1):
        raise CommandError(2, "The $sort element value must be either 1 or -1")
    return lambda array: sorted(array, key=sort_key, reverse=order == -1)


def _sorted_by_fields(array: list[Any], fields: list[tuple[list[str], bool]]) -> list[Any]:
    for parts, descending in reversed(fields):  # sorting is stable: the last key first

        def key(item: Any, parts: list[str] = parts) -> Any:
            return sort_key(_field_of(item, parts))

        array = sorted(array, key=key, reverse=descending)
    return array


def _field_of(item: Any, parts: list[str]) -> Any:
    """Returns what an element is sorted by; null where it has no such field."""
    for name in parts:
        if isinstance(item, list) and is_index(name) and int(name) < len(item):
            item = item[int(name)]
        else:
            item = item.get(name) if isinstance(item, Mapping) else None
    return item


def read_add_to_set(field: str, argument: Any) -> Change:
    """Reads one field of `$addToSet`."""
    if not isinstance(argument, Mapping) or next(iter(argument), "") != "$each":
        return AddToSet([argument])
    each = argument["$each"]
    if not isinstance(each, list):
        raise CommandError(
            14, f"The argument to $each in $addToSet must be an array but it was of type {type_name(each)}"
        )
    if len(argument) > 1:
        raise CommandError(2, f"Found unexpected fields after $each in $addToSet: {render(argument)}")
    return AddToSet(each)


# Operators on a field, by which `$pull` tells a condition on elements from a query on sub-documents.
_ON_ELEMENTS = {
    *("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$all", "$size", "$exists", "$type", "$mod"),
    *("$regex", "$options", "$elemMatch", "$geoWithin", "$geoIntersects", "$near", "$nearSphere"),
    *("$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"),
}


def read_pull(field: str, condition: Any) -> Change:
    """Reads one field of `$pull`: a value, a condition on elements, or a query on sub-documents."""
    if isinstance(condition, Mapping) and next(iter(condition), "") not in _ON_ELEMENTS:
        query = compile_filter(condition)
        return Pull(lambda item: isinstance(item, Mapping) and query(item))
    if isinstance(condition, Mapping) or type_name(condition) == "regex":
        element = compile_filter({"item": condition})
        return Pull(lambda item: element({"item": item}))
    wanted = sort_key(condition)
    return Pull(lambda item: sort_key(item) == wanted)


def read_pull_all(field: str, argument: Any) -> Change:
    """Reads one field of `$pullAll`."""
    if not isinstance(argument, list):
        raise CommandError(2, f"$pullAll requires an array argument but was given a {type_name(argument)}")
    unwanted = {sort_key(item) for item in argument}
    return Pull(lambda item: sort_key(item) in unwanted)


def read_pop(field: str, argument: Any) -> Change:
    """Reads one field of `$pop`."""
    if not isinstance(argument, (int, float)) or isinstance(argument, bool):
        raise CommandError(9, f"Expected a number in: {render_field(field, argument)}")
    if argument not in (1, -1):
        raise CommandError(9, f"$pop expects 1 or -1, found: {argument}")
    return Pop(first=argument == -1)
