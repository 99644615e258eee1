"""An index to check queries against, read from any of the shapes that people keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.grammar.kit import is_document


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One index.

    Args:
        name: its name, or None where only the definition is known.
        vector: whether it is of type `vectorSearch`.
        definition: its sound definition.
    """

    name: str | None
    vector: bool
    definition: Mapping[str, Any]


def read_index(value: Mapping[str, Any]) -> IndexEntry:
    """An index from a bare definition, a `createSearchIndexes` entry or a `$listSearchIndexes` row.

    Raises:
        ValueError: the value is none of these.
    """
    definition = value.get("latestDefinition", value.get("definition", value))
    if not is_document(definition):
        raise ValueError("an index definition must be a document")
    kind = value.get("type") if definition is not value else None
    if kind not in (None, "search", "vectorSearch"):
        raise ValueError(f'an index type is "search" or "vectorSearch", not {kind!r}')
    if "mappings" not in definition and "fields" not in definition:
        raise ValueError('an index definition has "mappings" (search) or "fields" (vectorSearch)')
    vector = kind == "vectorSearch" or (kind is None and "mappings" not in definition)
    name = value.get("name") if definition is not value else None
    return IndexEntry(name, vector, definition)


def choose(indexes: Sequence[IndexEntry], name: str, *, vector: bool, any_type: bool) -> IndexEntry | None:
    """The index that a stage means: by name, else an unnamed one of its type, else None.

    Args:
        any_type: whether a single unnamed index is meant although its type differs.
    """
    for one in indexes:
        if one.name == name:
            return one
    unnamed = [one for one in indexes if one.name is None]
    of_type = [one for one in unnamed if one.vector == vector]
    if of_type:
        return of_type[0]
    return unnamed[0] if any_type and len(indexes) == 1 and unnamed else None
