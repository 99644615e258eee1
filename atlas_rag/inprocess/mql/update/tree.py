"""Changes arranged as a tree of field names and applied top down, so that a document is walked once.

The order of application is the tree's, not the caller's: names are sorted, numbers among them by value, and
so new fields appear in that order, whatever operators they come from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.rendering import render_field

MOST_PADDING = 1_500_000
"""Elements that a write far behind the end of an array may add."""

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Occasion:
    """What an update knows besides the value it changes.

    Attributes:
        document: the whole document before the update.
        now: the time of the command, UTC.
        inserting: an upsert makes the document.
        matched: index of the array element that the query matched, for `$`; None where there is none.
    """

    document: Document
    now: datetime
    inserting: bool = False
    matched: int | None = None


class Change(ABC):
    """What happens to one field. `value` is `MISSING` where the field is absent, and so is a removed one."""

    needs_viable_path: ClassVar[bool] = False
    """Whether a path that cannot lead anywhere is an error even though nothing would be created."""

    @abstractmethod
    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        """Returns the new value; the very same object means unchanged."""

    def creates(self, occasion: Occasion) -> bool:
        """Whether an absent field comes into being."""
        return True


ElementFilter = Callable[[Any], bool]


@dataclass(slots=True)
class Branch:
    """The changes below one field. Its names are either fields and indexes, or array filters; never both."""

    children: dict[str, Branch | Change] = field(default_factory=dict)

    @property
    def filtered(self) -> bool:
        """Whether the names are `$[]` and `$[identifier]`."""
        return _is_filter(next(iter(self.children)))

    def sorted(self) -> list[tuple[str, Branch | Change]]:
        """Children in order of application."""
        return sorted(self.children.items(), key=lambda child: _order(child[0]))


def _order(name: str) -> tuple[int, int, str]:
    return (0, int(name), "") if is_index(name) else (1, 0, name)


def is_index(name: str) -> bool:
    """Whether a path component can be an array index."""
    return name.isascii() and name.isdigit()


def _is_filter(name: str) -> bool:
    """Whether a path component stands for several array elements: `$[]` or `$[identifier]`."""
    return name.startswith("$[") and name.endswith("]")


def plant(root: Branch, path: str, change: Change) -> None:
    """Adds a change at a dotted path. Raises 40 where two changes meet on one path."""
    components = path.split(".")
    branch = root
    for depth, name in enumerate(components):
        if branch.children and branch.filtered != _is_filter(name):
            raise _conflict(path, components[:depth])
        last = depth == len(components) - 1
        below = branch.children.get(name)
        if below is None:
            below = branch.children[name] = change if last else Branch()
        elif last or isinstance(below, Change):
            raise _conflict(path, components[: depth + 1])
        if isinstance(below, Branch):
            branch = below


def _conflict(path: str, where: list[str]) -> CommandError:
    at = ".".join(where)
    return CommandError(40, f"Updating the path '{path}' would create a conflict at '{at}'")


@dataclass(frozen=True, slots=True)
class Walk:
    """One application of a tree."""

    occasion: Occasion
    filters: Mapping[str, ElementFilter]

    def grow(self, node: Branch | Change, value: Any, path: str) -> Any:
        """Returns the value after the changes; stored values are copied where they change."""
        if isinstance(node, Change):
            return node.apply(value, path, self.occasion)
        if node.filtered:
            return self._in_elements(node, value, path)
        if isinstance(value, dict):
            return self._in_document(node, value, path)
        if isinstance(value, list):
            return self._in_array(node, value, path)
        if value is MISSING:
            return self._in_nothing(node, path)
        for name, child in self._children(node, path):
            self._refuse_if_needed(child, name, path, value)
        return value

    def _in_nothing(self, branch: Branch, path: str) -> Any:
        if self._creates(branch):
            return self._in_document(branch, {}, path)
        for name, child in self._children(branch, path):  # which may be refused, though there is nothing
            if isinstance(child, Branch):
                self.grow(child, MISSING, _below(path, name))
        return MISSING

    def _in_document(self, branch: Branch, value: dict[str, Any], path: str) -> Any:
        result = value
        for name, child in self._children(branch, path):
            old = result.get(name, MISSING)
            new = self.grow(child, old, _below(path, name))
            if new is old:
                continue
            if result is value:
                result = dict(value)
            if new is MISSING:
                del result[name]
            else:
                result[name] = new
        return result

    def _in_array(self, branch: Branch, value: list[Any], path: str) -> Any:
        result = value
        for name, child in self._children(branch, path):
            if not is_index(name):
                self._refuse_if_needed(child, name, path, result)
                continue
            position = int(name)
            old = result[position] if position < len(result) else MISSING
            new = self.grow(child, old, _below(path, name))
            if new is not old:
                result = _with_element(result, position, None if new is MISSING else new)
        return result

    def _in_elements(self, branch: Branch, value: Any, path: str) -> Any:
        if value is MISSING:
            raise CommandError(
                2, f"The path '{path}' must exist in the document in order to apply array updates."
            )
        if not isinstance(value, list):
            name = path.rpartition(".")[2]
            raise CommandError(
                2, f"Cannot apply array updates to non-array element {render_field(name, value)}"
            )
        result = [self._element(branch, old, f"{path}.{position}") for position, old in enumerate(value)]
        changed = any(new is not old for new, old in zip(result, value, strict=True))
        return result if changed else value

    def _element(self, branch: Branch, value: Any, path: str) -> Any:
        nodes = [node for name, node in branch.sorted() if name == "$[]" or self.filters[name[2:-1]](value)]
        if not nodes:
            return value
        merged = nodes[0]
        for node in nodes[1:]:
            merged = _merge(merged, node, path)
        new = self.grow(merged, value, path)
        return None if new is MISSING else new

    def _children(self, branch: Branch, path: str) -> Iterator[tuple[str, Branch | Change]]:
        """Children with `$` put in the place that the query matched."""
        children = branch.children
        if "$" in children:
            if self.occasion.matched is None:
                raise CommandError(2, "The positional operator did not find the match needed from the query.")
            name, positional = str(self.occasion.matched), children["$"]
            children = {key: node for key, node in children.items() if key != "$"}
            there = children.get(name)
            children[name] = positional if there is None else _merge(there, positional, _below(path, name))
            branch = Branch(children)
        return iter(branch.sorted())

    def _creates(self, node: Branch | Change) -> bool:
        if isinstance(node, Change):
            return node.creates(self.occasion)
        return any(map(self._creates, node.children.values()))

    def _refuse_if_needed(self, child: Branch | Change, name: str, path: str, value: Any) -> None:
        """Refuses to look for a field inside a value that has no fields. Raises 28."""
        element = "{" + render_field(path.rpartition(".")[2], value) + "}"
        for change, full in _changes(child, _below(path, name)):
            if change.creates(self.occasion):
                raise CommandError(28, f"Cannot create field '{name}' in element {element}")
            if change.needs_viable_path:
                text = f"Cannot use the part ({name}) of ({full}) to traverse the element ({element})"
                raise CommandError(28, text)


def _changes(node: Branch | Change, path: str) -> Iterator[tuple[Change, str]]:
    """Yields the changes below a node with their paths, in order of application."""
    if isinstance(node, Change):
        yield node, path
    else:
        for name, child in node.sorted():
            yield from _changes(child, _below(path, name))


def _merge(one: Branch | Change, other: Branch | Change, path: str) -> Branch:
    if isinstance(one, Change) or isinstance(other, Change):
        raise CommandError(40, f"Update created a conflict at '{path}'")
    children = dict(one.children)
    for name, node in other.children.items():
        there = children.get(name)
        children[name] = node if there is None else _merge(there, node, _below(path, name))
    return Branch(children)


def _with_element(array: list[Any], position: int, value: Any) -> list[Any]:
    padding = position - len(array)
    if padding > MOST_PADDING:
        text = f"can't backfill more than {MOST_PADDING} elements"
        raise CommandError(34, text)
    result = [*array, *[None] * (padding + 1)]
    result[position] = value
    return result


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
