"""What filters and typed fields do not find in a document."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from atlas_rag.grammar.field_types import FIELD_TYPES, MAX_TOKEN_CHARACTERS, WHOLE
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.documents.values import EXACT_DOUBLES, kind, values_at
from atlas_rag.indexes.documents.vectors import Finding, judge_field

OBJECT_ID: Final = re.compile(r"[0-9a-f]{24}")
AS_STRINGS: Final = "store such numbers as strings"

Spec = Mapping[str, Any]


def judge_document(document: Mapping[str, Any], index: WantedIndex) -> Iterator[tuple[str, str, str]]:
    """What this index does not find of a document: path, problem, fix."""
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        yield from _of_vector_index(document, definition)
    else:
        for path, types in typed_paths(definition):
            for value in values_at(document, path):
                yield from ((path, *one) for one in _of_mapped(value, types))


def _of_vector_index(document: Mapping[str, Any], definition: Spec) -> Iterator[tuple[str, str, str]]:
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
                yield from ((path, *one) for one in _of_filter(value))


def _of_filter(value: Any) -> Iterator[Finding]:
    found = kind(value)
    if found == "number":
        if _is_beyond_doubles(value):
            yield _BEYOND_DOUBLES, AS_STRINGS
    elif found == "string":
        yield from _of_text(value)
    elif found == "array":
        yield _NESTED_ARRAY
    elif found not in WHOLE and found != "null":
        yield f"a {found}, which no filter compares: not indexed", "store a value that filters compare"


def _of_mapped(value: Any, types: Sequence[Spec]) -> Iterator[Finding]:
    found = kind(value)
    kinds = {FIELD_TYPES[one["type"]].kind for one in types}
    if found == "array":
        yield _NESTED_ARRAY
    elif found not in kinds and found != "null":
        expected = " or ".join(sorted(_word(one) for one in kinds if one is not None))
        yield (
            f"a {_word(found)} where the index takes {expected}: not indexed",
            f"store a {expected}, or map {_word(found)}",
        )
    elif found == "string":
        yield from _of_text(value)
    elif found == "number":
        for one in types:
            if FIELD_TYPES[one["type"]].kind == "number":
                yield from _of_number(value, one)


def _of_number(value: float, number: Spec) -> Iterator[Finding]:
    """What a mapped number loses: on the way into the index, or when it is compared."""
    is_whole = isinstance(value, int)
    if number.get("indexIntegers" if is_whole else "indexDoubles") is False:
        dropped, other = ("an integer", "doubles") if is_whole else ("a double", "integers")
        yield f"{dropped} where the index takes {other} only: not indexed", "map both kinds of numbers"
    elif number.get("representation") == "int64":
        if not math.isfinite(value) or value != int(value):
            yield "a fraction where the index keeps integers: cut off", "map representation double"
    elif not math.isfinite(value):
        yield "no finite number: found by sorting only", "store a finite number, or leave the field out"
    elif _is_beyond_doubles(value):
        yield _BEYOND_DOUBLES, f"map representation int64, or {AS_STRINGS}"


_NESTED_ARRAY: Final = "an array inside an array: an index takes it apart, $match does not", "store one array"
_BEYOND_DOUBLES: Final = "a whole number beyond 2^53: equal to its neighbours, as doubles are compared"


def _is_beyond_doubles(value: float) -> bool:
    return isinstance(value, int) and abs(value) >= EXACT_DOUBLES


def _of_text(value: str) -> Iterator[Finding]:
    if len(value) > MAX_TOKEN_CHARACTERS:
        problem = f"longer than {MAX_TOKEN_CHARACTERS} characters: cut where it is filtered"
        yield problem, "filter on a short key"
    if OBJECT_ID.fullmatch(value):
        yield "the text of an ObjectId: no ObjectId ever equals it", "store ObjectIds as ObjectIds"


def _word(found: str) -> str:
    """The kind as field types call it."""
    return WHOLE[found] if found != "string" and found in WHOLE else found


def typed_paths(definition: Spec) -> list[tuple[str, list[Spec]]]:
    """The paths of a search definition that take certain kinds of values only, with their types."""
    return list(_typed(definition.get("mappings") or {}, ""))


def _typed(mapping: Spec, prefix: str) -> Iterator[tuple[str, list[Spec]]]:
    for name, value in (mapping.get("fields") or {}).items():
        fields = list(value) if isinstance(value, list | tuple) else [value]
        for field in fields:
            if "fields" in field:
                yield from _typed(field, f"{prefix}{name}.")
        types = [FIELD_TYPES.get(field.get("type", "")) for field in fields]
        if all(one is not None and one.kind is not None for one in types):
            yield prefix + name, fields


def filter_paths(index: WantedIndex) -> list[str]:
    """The paths that an index filters by: its filter fields, or its token fields."""
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        return [one["path"] for one in definition.get("fields", ()) if one.get("type") == "filter"]
    return list(_token_paths(definition.get("mappings") or {}, ""))


def _token_paths(mapping: Spec, prefix: str) -> Iterator[str]:
    for name, value in (mapping.get("fields") or {}).items():
        for field in value if isinstance(value, list | tuple) else [value]:
            if field.get("type") == "token":
                yield prefix + name
            elif "fields" in field:
                yield from _token_paths(field, f"{prefix}{name}.")
