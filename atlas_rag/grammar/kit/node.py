"""What every piece of the grammar is: something that checks one present, non-null value."""

from __future__ import annotations

from typing import Any, Protocol

from atlas_rag.grammar.problem import At, Found


class Node(Protocol):
    """Checks a value and appends what is wrong with it, first things first."""

    def check(self, value: Any, at: At, found: Found) -> None:
        """Append the problems of `value`, which stands at `at`, to `found`."""


class Later:
    """A node that is defined further down, for grammars that contain themselves."""

    __slots__ = ("_node",)

    def __init__(self) -> None:
        self._node: Node | None = None

    def define(self, node: Node) -> None:
        """Say what this stands for; once."""
        self._node = node

    def check(self, value: Any, at: At, found: Found) -> None:
        if self._node is None:
            raise RuntimeError("a grammar node was used before it was defined")
        self._node.check(value, at, found)
