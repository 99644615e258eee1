"""What `$project`, `$addFields` and `$unset` do to a document: a tree of fields to keep, drop or compute.

A path through an array applies to each sub-document in it, nested arrays included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bson import DBRef

from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Variables
from atlas_rag.inprocess.mql.values import MISSING, Document
from atlas_rag.inprocess.mql.values.paths import closed, opened
from atlas_rag.inprocess.mql.values.row import Row

KEEP, DROP = "keep", "drop"


class Node:
    """The fields of one level.

    `fields` holds, in the order given, what happens to each named field: `KEEP`, `DROP`, an expression, or
    another node for what lies below. All other fields stay if `keeps_others`, else they go.
    """

    def __init__(self, keeps_others: bool) -> None:
        self.keeps_others = keeps_others
        self.fields: dict[str, str | Evaluate | Node] = {}
        self._computed: list[tuple[str, Evaluate | Node]] = []
        self._kept: dict[str, str | Node] = {}

    def child(self, name: str) -> Node:
        """Returns the node below a field, made if there is none."""
        node = self.fields.get(name)
        if not isinstance(node, Node):
            node = self.fields[name] = Node(self.keeps_others)
        return node

    def place(self, path: str, action: str | Evaluate) -> None:
        """Says what happens at a dotted path below this level."""
        *parents, last = path.split(".")
        node = self
        for name in parents:
            node = node.child(name)
        node.fields[last] = action

    def finish(self) -> Node:
        """Sorts the fields into those read from the document and those computed. Call once, when built."""
        for name, action in self.fields.items():
            if isinstance(action, Node):
                action.finish()
                self._kept[name] = action
                if action.computes:
                    self._computed.append((name, action))
            elif isinstance(action, str):
                self._kept[name] = action
            else:
                self._computed.append((name, action))
        return self

    @property
    def computes(self) -> bool:
        """True if an expression stands at or below this level."""
        return bool(self._computed)

    def apply(self, document: Document, row: Row, variables: Variables) -> dict[str, Any]:
        """Returns a new document; expressions read the whole row, whatever the level."""
        result = self.read(document)
        if self._computed:
            self._compute(result, row, variables)
        return result

    def reader(self) -> Callable[[Document], dict[str, Any]]:
        """Returns `read`, or the same in fewer steps where whole fields are kept and nothing else."""
        if self.keeps_others or not all(action is KEEP for action in self._kept.values()):
            return self.read
        names = frozenset(self._kept)
        if len(names) != 1:
            return lambda document: {name: value for name, value in document.items() if name in names}
        (only,) = names
        return lambda document: {only: document[only]} if only in document else {}

    def read(self, document: Document) -> dict[str, Any]:
        """Returns a new document of what stays, in the document's own order; nothing is computed."""
        result: dict[str, Any] = {}
        for name, value in document.items():
            action = self._kept.get(name)
            if action is None:
                if self.keeps_others:
                    result[name] = value
            elif isinstance(action, Node):
                below = action.read_value(value)
                if below is not MISSING:
                    result[name] = below
            elif action is KEEP:
                result[name] = value
        return result

    def read_value(self, value: Any) -> Any:
        """Returns what stays of a value below which some fields are kept or dropped."""
        if isinstance(value, dict):
            return self.read(value)
        if isinstance(value, DBRef):
            return closed(self.read(opened(value)))
        if isinstance(value, list):
            items = (self.read_value(item) for item in value)
            return [item for item in items if item is not MISSING]
        return value if self.keeps_others or self.computes else MISSING

    def _compute(self, result: dict[str, Any], row: Row, variables: Variables) -> None:
        for name, action in self._computed:
            if isinstance(action, Node):
                value = action.compute_value(result.get(name, MISSING), row, variables)
            else:
                value = action(row, variables)
            if value is MISSING:
                result.pop(name, None)
            else:
                result[name] = value

    def compute_value(self, value: Any, row: Row, variables: Variables) -> Any:
        """Returns a value with the fields computed below it; what is no document becomes one."""
        if isinstance(value, list):
            return [self.compute_value(item, row, variables) for item in value]
        value = opened(value)
        result = dict(value) if isinstance(value, dict) else {}
        self._compute(result, row, variables)
        return closed(result)


def without(paths: Iterable[str]) -> Node:
    """Returns the projection that drops some paths."""
    root = Node(keeps_others=True)
    for path in paths:
        root.place(path, DROP)
    return root.finish()
