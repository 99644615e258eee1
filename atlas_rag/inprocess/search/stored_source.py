"""What an index keeps of a document to return it without a look-up (`storedSource`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def stored_part(document: Mapping[str, Any], spec: Any, *, keep_id: bool = True) -> dict[str, Any]:
    """Returns what a `storedSource` setting keeps of a document.

    Args:
        spec: true, or {"include": paths} or {"exclude": paths}.
        keep_id: `_id` is kept whatever `include` lists.
    """
    if spec is True:
        return dict(document)
    if spec.get("include") is not None:
        included = [path.split(".") for path in spec["include"]]
        kept = _including(document, included)
        return {"_id": document["_id"], **kept} if keep_id and "_id" in document else kept
    return _excluding(document, [path.split(".") for path in spec["exclude"]])


def _including(document: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in document.items():
        below = [path[1:] for path in paths if path[0] == name]
        if any(not rest for rest in below):
            kept[name] = value
        elif below:
            inner = _within(value, below, _including)
            if inner is not None:
                kept[name] = inner
    return kept


def _excluding(document: Mapping[str, Any], paths: Sequence[Sequence[str]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, value in document.items():
        below = [path[1:] for path in paths if path[0] == name]
        if any(not rest for rest in below):
            continue
        kept[name] = _within(value, below, _excluding, keep_scalars=True) if below else value
    return kept


def _within(value: Any, paths: Sequence[Sequence[str]], cut: Any, *, keep_scalars: bool = False) -> Any:
    """Applies a cut inside documents and arrays; what is neither is kept or dropped."""
    if isinstance(value, Mapping):
        return cut(value, paths)
    if isinstance(value, list):
        parts = [_within(item, paths, cut, keep_scalars=keep_scalars) for item in value]
        return [part for part in parts if part is not None or keep_scalars]
    return value if keep_scalars else None
