"""What filters and typed fields do not find in a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.documents.values import kind, values_at
from atlas_rag.indexes.documents.vectors import Finding, judge_field

LONGEST_TOKEN = 8191
"""Characters of a string that filters and token fields keep. Source: MongoDB documentation, token."""
OBJECT_ID = re.compile(r"[0-9a-f]{24}")

KIND_OF_FIELD = {
    "string": "string",
    "token": "string",
    "autocomplete": "string",
    "number": "number",
    "date": "date",
    "boolean": "boolean",
    "objectId": "objectId",
    "uuid": "uuid",
}
"""The only kind of value that a mapped field takes; others are passed over."""


def judge_document(document: Mapping[str, Any], index: WantedIndex) -> Iterator[tuple[str, str, str]]:
    """What this index does not find of a document: path, problem, fix."""
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        yield from _of_vector_index(document, definition)
    else:
        for path, kinds in mapped_kinds(definition):
            for value in values_at(document, path):
                yield from ((path, *one) for one in _of_mapped(value, kinds))


def _of_vector_index(
    document: Mapping[str, Any], definition: Mapping[str, Any]
) -> Iterator[tuple[str, str, str]]:
    root = definition.get("nestedRoot")
    for field in definition.get("fields", ()):
        path = field.get("path", "")
        if field.get("type") == "vector":
            nested = root is not None and path.startswith(f"{root}.")
            yield from ((path, *one) for one in judge_field(document, field, nested))
        elif field.get("type") == "filter":
            values = values_at(document, path)
            if not values:
                yield path, "missing filter field: found by negations only", "write the field, or expect ne"
            for value in values:
                yield from ((path, *one) for one in _of_text(value))


def _of_mapped(value: Any, kinds: frozenset[str]) -> Iterator[Finding]:
    found = kind(value)
    if value is not None and found not in kinds:
        expected = " or ".join(sorted(kinds))
        yield (
            f"a {found} where the index takes {expected}: not indexed",
            f"store a {expected}, or map {found}",
        )
    elif "string" in kinds:
        yield from _of_text(value)


def _of_text(value: Any) -> Iterator[Finding]:
    if isinstance(value, str) and len(value) > LONGEST_TOKEN:
        yield f"longer than {LONGEST_TOKEN} characters: cut where it is filtered", "filter on a short key"
    if isinstance(value, str) and OBJECT_ID.fullmatch(value):
        yield "the text of an ObjectId: no ObjectId ever equals it", "store ObjectIds as ObjectIds"


def mapped_kinds(definition: Mapping[str, Any]) -> list[tuple[str, frozenset[str]]]:
    """The paths of a search definition that take certain kinds only, with these kinds."""
    return list(_mapped(definition.get("mappings") or {}, ""))


def _mapped(mapping: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, frozenset[str]]]:
    for name, value in (mapping.get("fields") or {}).items():
        fields = value if isinstance(value, list) else [value]
        kinds = [KIND_OF_FIELD.get(field.get("type", "")) for field in fields]
        for field in fields:
            if "fields" in field:
                yield from _mapped(field, f"{prefix}{name}.")
        if None not in kinds:
            yield prefix + name, frozenset(one for one in kinds if one is not None)


def filter_paths(index: WantedIndex) -> list[str]:
    """The paths that an index filters by: its filter fields, or its token fields."""
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        return [one["path"] for one in definition.get("fields", ()) if one.get("type") == "filter"]
    return list(_token_paths(definition.get("mappings") or {}, ""))


def _token_paths(mapping: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in (mapping.get("fields") or {}).items():
        for field in value if isinstance(value, list) else [value]:
            if field.get("type") == "token":
                yield prefix + name
            elif "fields" in field:
                yield from _token_paths(field, f"{prefix}{name}.")
