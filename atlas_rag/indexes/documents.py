"""Samples a collection against index definitions and reports what would silently not be found."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson.binary import Binary
from bson.objectid import ObjectId

from atlas_rag.errors import CallError
from atlas_rag.indexes.wanted import WantedIndex
from atlas_rag.wire import Command, Protocol

DEFAULT_SAMPLE = 1000
EXAMPLES = 3
LONGEST_TOKEN = 8191
"""Characters of a string that a token field keeps. Source: MongoDB documentation, token."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of trouble on one path of one index.

    Args:
        count: documents of the sample with it. examples: some of their `_id`s.
        fix: what to do.
    """

    index: str
    path: str
    problem: str
    count: int
    examples: tuple[Any, ...]
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON; `_id`s as text."""
        return {
            "index": self.index,
            "path": self.path,
            "problem": self.problem,
            "count": self.count,
            "examples": [str(one) for one in self.examples],
            "fix": self.fix,
        }


def check_documents(
    namespace: str, wanted: Sequence[WantedIndex], *, sample: int = DEFAULT_SAMPLE
) -> Protocol[tuple[int, tuple[Problem, ...]]]:
    """Reads a random sample and checks each document against each index.

    Args:
        sample: documents to read, ≥ 1; default 1000.

    Returns:
        how many documents were read, and the problems, most frequent first.
    """
    if sample < 1:
        raise CallError(f"sample is {sample}", expected="1 or more")
    collection = namespace.partition(".")[2]
    reply = yield Command.aggregate(collection, [{"$sample": {"size": sample}}], max_rows=sample)
    return len(reply.documents), judge_documents(reply.documents, wanted)


def judge_documents(
    documents: Sequence[Mapping[str, Any]], wanted: Sequence[WantedIndex]
) -> tuple[Problem, ...]:
    """The problems of these documents, most frequent first."""
    found: dict[tuple[str, str, str, str], list[Any]] = defaultdict(list)
    kinds: dict[tuple[str, str], dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for document in documents:
        for index in wanted:
            for path, problem, fix in _of_document(document, index):
                found[index.name, path, problem, fix].append(document.get("_id"))
            for path in _filter_paths(index):
                for value in values_at(document, path):
                    if value is not None:
                        kinds[index.name, path][_kind(value)].append(document.get("_id"))
    for (name, path), by_kind in kinds.items():
        if len(by_kind) > 1:
            rare = min(by_kind, key=lambda kind: len(by_kind[kind]))
            problem = f"mixed types ({', '.join(sorted(by_kind))}): a filter finds one type only"
            fix = (
                _MIXED_ID_FIX if {"objectId", "string"} <= by_kind.keys() else "store one type in this field"
            )
            found[name, path, problem, fix] = by_kind[rare]
    problems = [
        Problem(name, path, problem, len(ids), tuple(ids[:EXAMPLES]), fix)
        for (name, path, problem, fix), ids in found.items()
    ]
    return tuple(sorted(problems, key=lambda one: (-one.count, one.index, one.path, one.problem)))


_MIXED_ID_FIX = "store ObjectIds as ObjectIds: a string never equals one"


def _of_document(document: Mapping[str, Any], index: WantedIndex) -> Iterator[tuple[str, str, str]]:
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        nested = definition.get("nestedRoot")
        for field in definition.get("fields", ()):
            path = field.get("path", "")
            if field.get("type") == "vector":
                inside = nested is not None and path.startswith(f"{nested}.")
                yield from ((path, *one) for one in _vector(document, field, inside))
            elif field.get("type") == "filter" and not values_at(document, path):
                yield path, "missing filter field: found by negations only", "write the field, or expect ne"
    else:
        for path in _token_paths(definition.get("mappings", {}), ""):
            for value in values_at(document, path):
                if isinstance(value, str) and len(value) > LONGEST_TOKEN:
                    yield path, f"longer than {LONGEST_TOKEN} characters: cut in a token field", "store a key"


def _vector(document: Mapping[str, Any], field: Mapping[str, Any], nested: bool) -> Iterator[tuple[str, str]]:
    values = _raw(document, field["path"].split("."))
    if not values:
        yield "no vector: never found by this index", "embed the document"
        return
    if len(values) > 1 and not nested:
        yield "several vectors: only the first is indexed", "use nestedRoot, or one document per vector"
    for value in values if nested else values[:1]:
        yield from _one_vector(value, field)


def _one_vector(value: Any, field: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    wanted = int(field.get("numDimensions", 0))
    if isinstance(value, Binary) and value.subtype == 9:
        vector = value.as_vector()
        if vector.dtype.value != b"\x27" and field.get("quantization", "none") != "none":
            yield f"{vector.dtype.name} in a quantized field: not indexed", "drop the quantization"
        size = len(value) * 8 - 16 if vector.dtype.value == b"\x10" else len(vector.data)
        numbers: Any = vector.data
    elif isinstance(value, list):
        if value and isinstance(value[0], list):
            yield (
                "an array of vectors: only the first is indexed",
                "use nestedRoot, or one document per vector",
            )
            value = value[0]
        if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in value):
            yield "holds what is not a number: not indexed", "store numbers, or BinData subtype 9"
            return
        size, numbers = len(value), value
    else:
        yield f"is a {type(value).__name__}: not indexed", "store numbers, or BinData subtype 9"
        return
    if size != wanted:
        yield f"{size} dimensions instead of {wanted}: not indexed", "embed with the model of the index"
    elif not all(map(math.isfinite, numbers)):
        yield "not finite: not indexed", "embed the document again"
    elif field.get("similarity") == "cosine" and not any(numbers):
        yield "all zeros under cosine: not indexed", "embed the document again, or leave the field out"


def _raw(value: Any, path: list[str]) -> list[Any]:
    """What stands at a path, arrays on the way followed, an array at the end taken as one value."""
    if not path:
        return [value]
    if isinstance(value, list):
        return [found for one in value for found in _raw(one, path)]
    return _raw(value[path[0]], path[1:]) if isinstance(value, Mapping) and path[0] in value else []


def values_at(document: Mapping[str, Any], path: str) -> list[Any]:
    """The values at a dotted path, arrays followed and taken apart."""
    values = _raw(document, path.split("."))
    return [one for value in values for one in (value if isinstance(value, list) else [value])]


def _filter_paths(index: WantedIndex) -> list[str]:
    definition = index.to_dict()["definition"]
    if index.type == "vectorSearch":
        return [one["path"] for one in definition.get("fields", ()) if one.get("type") == "filter"]
    return list(_token_paths(definition.get("mappings", {}), ""))


def _token_paths(mapping: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in (mapping.get("fields") or {}).items():
        for field in value if isinstance(value, list) else [value]:
            if field.get("type") == "token":
                yield prefix + name
            elif field.get("type") in ("document", "embeddedDocuments"):
                yield from _token_paths(field, f"{prefix}{name}.")


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int | float):
        return "number"
    return {ObjectId: "objectId", str: "string"}.get(type(value), type(value).__name__)
