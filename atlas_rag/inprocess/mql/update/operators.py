"""Update documents made of operators, read into a tree of changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import Predicate, compile_filter
from atlas_rag.inprocess.mql.update.arrays import (
    read_add_to_set,
    read_pop,
    read_pull,
    read_pull_all,
    read_push,
)
from atlas_rag.inprocess.mql.update.fields import (
    Extreme,
    Set,
    SetOnInsert,
    Unset,
    read_bits,
    read_current_date,
    read_increment,
    read_multiplication,
)
from atlas_rag.inprocess.mql.update.rename import is_dynamic, plant_rename
from atlas_rag.inprocess.mql.update.tree import Branch, Change, ElementFilter, Occasion, Walk, plant
from atlas_rag.inprocess.mql.values import MISSING, type_name
from atlas_rag.inprocess.rendering import render, render_field

Document = dict[str, Any]

READERS: dict[str, Callable[[str, Any], Change]] = {
    "$addToSet": read_add_to_set,
    "$bit": read_bits,
    "$currentDate": read_current_date,
    "$inc": read_increment,
    "$max": lambda _, argument: Extreme(argument, 1),
    "$min": lambda _, argument: Extreme(argument, -1),
    "$mul": read_multiplication,
    "$pop": read_pop,
    "$pull": read_pull,
    "$pullAll": read_pull_all,
    "$push": read_push,
    "$set": lambda _, argument: Set(argument),
    "$setOnInsert": lambda _, argument: SetOnInsert(argument),
    "$unset": lambda _, argument: Unset(),
}


@dataclass(frozen=True, slots=True)
class OperatorUpdate:
    """An update by operators, ready to apply to any number of documents."""

    tree: Branch
    filters: Mapping[str, ElementFilter]

    def apply(self, occasion: Occasion) -> Document:
        """Returns the document after the update; the very same object means unchanged.

        Raises:
            CommandError: the operators do not fit the values; 52, a stored document would get a field whose
            name begins with `$`; 66, `_id` would change.
        """
        old = occasion.document
        if not self.tree.children:
            return dict(old) if not isinstance(old, dict) else old
        new: Document = Walk(occasion, self.filters).grow(self.tree, old, "")
        before, after = old.get("_id", MISSING), new.get("_id", MISSING)
        if not occasion.inserting:
            self._check_new_names(old, new)
        if after is not before and before is not MISSING:
            raise CommandError(
                66, "Performing an update on the path '_id' would modify the immutable field '_id'"
            )
        return new

    def _check_new_names(self, old: Mapping[str, Any], new: Document) -> None:
        for name in self.tree.children:
            if name.startswith("$") and name in new and name not in old:
                raise dollar_prefixed(name)


def read_operators(update: Mapping[str, Any], array_filters: Sequence[Any]) -> OperatorUpdate:
    """Reads an update document whose first field is an operator.

    Raises:
        CommandError: 9, an unknown operator or an array filter that nobody uses; 40, two changes of one
            path; and what the single operators say.
    """
    filters = _read_filters(array_filters)
    root = Branch()
    used: set[str] = set()
    for name, fields in update.items():
        if name != "$rename" and name not in READERS:
            raise CommandError(
                9,
                f"Unknown modifier: {name}. Expected a valid update modifier or pipeline-style update "
                "specified as an array",
            )
        if not isinstance(fields, Mapping):
            raise CommandError(
                9,
                f"Modifiers operate on fields but we found type {type_name(fields)} instead. For example: "
                f"{{$mod: {{<field>: ...}}}} not {{{render_field(name, fields)}}}",
            )
        for path, argument in fields.items():
            check_path(path)
            used |= _identifiers(path, filters)
            if name == "$rename":
                if isinstance(argument, str) and not is_dynamic(argument):
                    check_path(argument)
                plant_rename(root, path, argument)
            else:
                plant(root, path, READERS[name](path, argument))
    for identifier in filters:
        if identifier not in used:
            raise CommandError(
                9,
                f"The array filter for identifier '{identifier}' was not used in the update {render(update)}",
            )
    return OperatorUpdate(root, filters)


def check_path(path: str) -> None:
    """Refuses a path that no update may name. Raises 56 or 2."""
    if not path:
        raise CommandError(56, "An empty update path is not valid.")
    components = path.split(".")
    if "" in components:
        raise CommandError(
            56, f"The update path '{path}' contains an empty field name, which is not allowed."
        )
    first = components[0]
    if first.startswith("$["):
        raise CommandError(
            2,
            "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path "
            f"'{path}'",
        )
    if first == "$":
        raise CommandError(
            2, f"Cannot have positional (i.e. '$') element in the first position in path '{path}'"
        )
    if components.count("$") > 1:
        raise CommandError(2, f"Too many positional (i.e. '$') elements found in path '{path}'")


def dollar_prefixed(name: str) -> CommandError:
    """The refusal of a field name that begins with `$`."""
    return CommandError(
        52,
        f"The dollar ($) prefixed field '{name}' in '{name}' is not allowed in the context of an update's "
        "replacement document. Consider using an aggregation pipeline with $replaceWith.",
    )


_IDENTIFIER = re.compile(r"\$\[(\w*)\]$")


def _identifiers(path: str, filters: Mapping[str, ElementFilter]) -> set[str]:
    names = {found[1] for name in path.split(".") if (found := _IDENTIFIER.match(name)) and found[1]}
    for name in names:
        if name not in filters:
            raise CommandError(2, f"No array filter found for identifier '{name}' in path '{path}'")
    return names


def _read_filters(array_filters: Sequence[Mapping[str, Any]]) -> dict[str, ElementFilter]:
    filters: dict[str, ElementFilter] = {}
    for condition in array_filters:
        identifier = _filter_identifier(condition)
        if identifier in filters:
            raise CommandError(
                9, f"Found multiple array filters with the same top-level field name {identifier}"
            )
        try:
            matches = compile_filter(condition)
        except CommandError as error:
            raise error.within("Error parsing array filter") from None
        filters[identifier] = _element_filter(identifier, matches)
    return filters


def _element_filter(identifier: str, matches: Predicate) -> ElementFilter:
    return lambda item: matches({identifier: item})


def _filter_identifier(condition: Mapping[str, Any]) -> str:
    """Returns the one name that all fields of an array filter begin with."""
    names = list(dict.fromkeys(_top_level_names(condition)))
    if not names:
        raise CommandError(9, "Cannot use an expression without a top-level field name in arrayFilters")
    if len(names) > 1:
        raise CommandError(
            9,
            "Error parsing array filter :: caused by :: Expected a single top-level field name, found "
            f"'{names[0]}' and '{names[1]}'",
        )
    if not re.match(r"[a-z][a-zA-Z0-9]*$", names[0]):
        raise CommandError(
            2,
            "Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric "
            f"string beginning with a lowercase letter, found '{names[0]}'",
        )
    return names[0]


def _top_level_names(condition: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    for name, value in condition.items():
        if name in ("$and", "$or", "$nor") and isinstance(value, list):
            for part in value:
                names += _top_level_names(part) if isinstance(part, Mapping) else []
        else:
            names.append(name.partition(".")[0])
    return names
