"""What a document holds at a dotted path, as the search engine reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def values_at(document: Mapping[str, Any], path: str) -> Iterator[Any]:
    """Every value at `path`; arrays of sub-documents on the way contribute one value per element.

    A value that is itself an array is yielded whole. Field names are never array positions.
    """
    if path in document:
        yield document[path]
    elif "." in path:
        yield from _below(document, path.split("."))


def _below(value: Any, parts: list[str]) -> Iterator[Any]:
    if isinstance(value, list):
        for item in value:
            yield from _below(item, parts)
    elif isinstance(value, Mapping) and parts[0] in value:
        if len(parts) == 1:
            yield value[parts[0]]
        else:
            yield from _below(value[parts[0]], parts[1:])
