"""What an index keeps of a document to return it without a look-up (`storedSource`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Projection = Callable[[Mapping[str, Any]], dict[str, Any]]
_Tree = dict[str, "_Tree"]


def stored_source(spec: Any) -> Projection | None:
    """The projection that a `storedSource` setting stands for; None where nothing is stored.

    Args:
        spec: True (all), False or None (nothing), `{"include": [paths]}` (these and `_id`) or
            `{"exclude": [paths]}` (all but these). Paths reach into sub-documents and arrays of them.
    """
    if spec is True:
        return dict
    if not isinstance(spec, Mapping):
        return None
    if "include" in spec:
        included = _tree([*spec["include"], "_id"])
        return lambda document: _included(document, included)
    excluded = _tree(spec["exclude"])
    return lambda document: _excluded(document, excluded)


def _tree(paths: Iterable[str]) -> _Tree:
    root: _Tree = {}
    for path in paths:
        node = root
        for part in path.split("."):
            node = node.setdefault(part, {})
    return root


def _included(document: Mapping[str, Any], tree: _Tree) -> dict[str, Any]:
    kept = {}
    for name, value in document.items():
        if name in tree:
            below = tree[name]
            if not below:
                kept[name] = value
            elif isinstance(value, Mapping):
                kept[name] = _included(value, below)
            elif isinstance(value, list):
                kept[name] = [_included(item, below) for item in value if isinstance(item, Mapping)]
    return kept


def _excluded(document: Mapping[str, Any], tree: _Tree) -> dict[str, Any]:
    kept = {}
    for name, value in document.items():
        if name not in tree:
            kept[name] = value
        elif tree[name]:
            kept[name] = _without(value, tree[name])
    return kept


def _without(value: Any, tree: _Tree) -> Any:
    if isinstance(value, Mapping):
        return _excluded(value, tree)
    if isinstance(value, list):
        return [_without(item, tree) for item in value]
    return value
