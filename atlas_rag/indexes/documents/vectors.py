"""Why a vector is not indexed. Source: the indexing rules of MongoDB Vector Search."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.indexes.documents.values import raw_values

Finding = tuple[str, str]
"""A problem and its fix."""

LARGEST_FLOAT = 3.4028234663852886e38
"""Vectors are kept as float32: what is larger becomes infinite."""


def judge_field(document: Mapping[str, Any], field: Mapping[str, Any], nested: bool) -> Iterator[Finding]:
    """What keeps a document from being found by a vector field.

    Args:
        nested: whether the field is inside the index's nested root, where every vector counts.
    """
    values = raw_values(document, field["path"].split("."))
    if not values:
        yield "no vector: never found by this index", "embed the document"
        return
    if len(values) > 1 and not nested:
        yield "several vectors: only the first is indexed", "use nestedRoot, or one document per vector"
    for value in values if nested else values[:1]:
        if isinstance(value, list) and value and isinstance(value[0], list):
            fix = "use nestedRoot, or one document per vector"
            yield "an array of vectors: only the first is indexed", fix
            value = value[0]
        yield from _judge(value, field)


def _judge(value: Any, field: Mapping[str, Any]) -> Iterator[Finding]:
    if isinstance(value, Binary) and value.subtype == 9:
        vector = value.as_vector()
        numbers, packed = vector.data, vector.dtype is BinaryVectorDtype.PACKED_BIT
        size = len(numbers) * 8 if packed else len(numbers)
        if vector.dtype is not BinaryVectorDtype.FLOAT32 and field.get("quantization", "none") != "none":
            yield f"{vector.dtype.name} in a quantized field: not indexed", "drop the quantization"
        if packed and field.get("similarity") != "euclidean":
            yield "packed bits without euclidean similarity: not indexed", "use similarity euclidean"
    elif isinstance(value, list):
        if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in value):
            yield "holds what is not a number: not indexed", "store numbers, or BinData subtype 9"
            return
        numbers, size = value, len(value)
    else:
        yield f"is a {type(value).__name__}: not indexed", "store numbers, or BinData subtype 9"
        return
    yield from _judge_numbers(numbers, size, field)


def _judge_numbers(numbers: Any, size: int, field: Mapping[str, Any]) -> Iterator[Finding]:
    wanted = field.get("numDimensions")
    if size != wanted:
        yield f"{size} dimensions instead of {wanted}: not indexed", "embed with the model of the index"
    elif not all(math.isfinite(one) and abs(one) <= LARGEST_FLOAT for one in numbers):
        yield "not finite: not indexed", "embed the document again"
    elif field.get("similarity") == "cosine" and not any(numbers):
        yield "all zeros under cosine: not indexed", "embed the document again, or leave the field out"
