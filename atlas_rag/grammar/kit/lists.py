"""Arrays, and the fields that take one value or an array of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from atlas_rag.grammar.kit.bson_types import is_array
from atlas_rag.grammar.kit.node import Node
from atlas_rag.grammar.problem import At, Found, problem

ListRule = Callable[[list[Any], At, Found], None]


class ListOf:
    """An array whose items are all of one kind.

    Args:
        item: the kind of each item; a null item "is required".
        empty: whether `[]` is accepted.
        rule: checked when every item is sound.
    """

    __slots__ = ("_empty", "_item", "_rule")

    def __init__(self, item: Node, *, empty: bool = True, rule: ListRule | None = None) -> None:
        self._item, self._empty, self._rule = item, empty, rule

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_array(value):
            self.check_items(value, at, found)
        else:
            found.append(problem(at, "must be a array", "type"))

    def check_items(self, value: list[Any], at: At, found: Found) -> None:
        """Check what is known to be an array."""
        if not value and not self._empty:
            found.append(problem(at, "cannot be empty", "empty-list"))
            return
        before = len(found)
        for index, item in enumerate(value):
            if item is None:
                found.append(problem((at, index), "is required", "required"))
            else:
                self._item.check(item, (at, index), found)
        if self._rule is not None and len(found) == before:
            self._rule(value, at, found)


class OneOrMany:
    """One value, or an array of such values."""

    __slots__ = ("_item", "_many")

    def __init__(self, item: Node, *, empty: bool = True) -> None:
        self._item, self._many = item, ListOf(item, empty=empty)

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_array(value):
            self._many.check_items(value, at, found)
        else:
            self._item.check(value, at, found)


def no_duplicates(items: list[Any], at: At, found: Found) -> None:
    """Every item may occur once."""
    if len(set(items)) < len(items):
        found.append(problem(at, "cannot contain duplicate elements", "duplicate"))


def distinct(attribute: str) -> ListRule:
    """No two documents of the list may agree in an attribute."""

    def rule(items: list[Any], at: At, found: Found) -> None:
        if len({item[attribute] for item in items}) < len(items):
            text = f"cannot contain elements with the same {attribute}"
            found.append(problem(at, text, "duplicate"))

    return rule
