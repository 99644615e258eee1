"""`$vectorSearch` against its index: paths, lengths, types of numbers, filters."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.check.report import ENGINE_CODE, Finding, Severity
from atlas_rag.grammar.filters import LOGICAL
from atlas_rag.grammar.kit import is_array, is_document
from atlas_rag.grammar.vectors import FLOAT32, INT8, PACKED_BIT

_HEADER_BYTES: Final = 2
_DTYPES: Final = {FLOAT32: "float32", INT8: "int8", PACKED_BIT: "packed bit"}
_BYTES: Final = {FLOAT32: 4, INT8: 1}


def vector_findings(body: Mapping[str, Any], definition: Mapping[str, Any], at: str) -> Iterator[Finding]:
    """Findings of a sound `$vectorSearch` body against a sound vector index definition."""
    fields = {one["path"]: one for one in definition["fields"]}
    path = body["path"]
    vectors = {name: one for name, one in fields.items() if one["type"] in ("vector", "autoEmbed", "text")}
    if path not in vectors:
        text = f"{path} is not indexed as vector"
        yield _refused(f"{at}.path", text, "index-type", _near(path, vectors))
    else:
        yield from _query(body, vectors[path], at)
    for key in ("filter", "parentFilter"):
        yield from _filter(body.get(key), fields, f"{at}.{key}")
    yield from _nested(body, definition, at)
    if body.get("returnStoredSource") is True and not definition.get("storedSource"):
        text = "accepted, and returns whole documents: storedSource is not configured for this index"
        yield Finding(f"{at}.returnStoredSource", text, "stored-source", Severity.WARNING)


def _query(body: Mapping[str, Any], field: Mapping[str, Any], at: str) -> Iterator[Finding]:
    embeds = field["type"] != "vector"
    if body.get("query") is not None and not embeds:
        yield _refused(f"{at}.query", "queryVector must be present", "index-type")
    elif body.get("queryVector") is not None and embeds:
        yield _refused(f"{at}.queryVector", "query must be present", "index-type")
    elif body.get("queryVector") is not None:
        yield from dimension_findings(body["queryVector"], field["numDimensions"], field, f"{at}.queryVector")


def dimension_findings(
    vector: Any, dimensions: float, field: Mapping[str, Any], at: str
) -> Iterator[Finding]:
    """Findings about the length of a query vector, its numbers, and the similarity that they need."""
    dtype = FLOAT32 if is_array(vector) else vector[0]
    length = len(vector) if is_array(vector) else _binary_length(vector)
    if length != dimensions:
        text = f"vector field is indexed with {int(dimensions)} dimensions but queried with {length}"
        yield _refused(at, text, "dimensions")
    if dtype == PACKED_BIT and field.get("similarity") != "euclidean":
        text = "packed bit vectors are compared by euclidean similarity only"
        yield _refused(at, text, "dtype")
    elif dtype != FLOAT32:
        quantized = field.get("quantization") not in (None, "none")
        reason = (
            "quantized fields hold float32 vectors" if quantized else "the stored vectors are of another type"
        )
        text = f"returns nothing because {reason}, unless documents hold {_DTYPES[dtype]} vectors"
        yield Finding(at, text, "dtype", Severity.WARNING)
    if field.get("similarity") == "cosine" and is_array(vector) and vector and not any(vector):
        text = "Cosine similarity cannot be calculated against a zero vector."
        yield _refused(at, text, "zero-vector")


def _binary_length(vector: bytes) -> int:
    payload = len(vector) - _HEADER_BYTES
    return payload * 8 if vector[0] == PACKED_BIT else payload // _BYTES[vector[0]]


def _filter(given: Any, fields: Mapping[str, Mapping[str, Any]], at: str) -> Iterator[Finding]:
    if given is None:
        return
    for name, condition in given.items():
        if name in LOGICAL:
            for index, one in enumerate(condition):
                yield from _filter(one, fields, f"{at}.{name}[{index}]")
        elif not _only_null(condition) and fields.get(name, {}).get("type") != "filter":
            text = f"Path '{name}' needs to be indexed as filter"
            yield _refused(f"{at}.{name}", text, "filter-path", _near(name, fields))


def _only_null(condition: Any) -> bool:
    """Equality with null asks no filter field."""
    return condition is None or (
        is_document(condition)
        and all(name in ("$eq", "$ne") and value is None for name, value in condition.items())
    )


def _nested(body: Mapping[str, Any], definition: Mapping[str, Any], at: str) -> Iterator[Finding]:
    root = definition.get("nestedRoot")
    below = root is not None and str(body["path"]).startswith(f"{root}.")
    if body.get("nestedOptions") is not None and not below:
        text = "nestedOptions requires a vector path within the index's nested root"
        yield _refused(f"{at}.nestedOptions", text, "nested")
    if body.get("parentFilter") is not None and root is None:
        text = "works as filter, because the index has no nestedRoot"
        yield Finding(f"{at}.parentFilter", text, "nested", Severity.WARNING)


def _refused(path: str, text: str, rule: str, advice: str | None = None) -> Finding:
    return Finding(path, text, rule, suggestion=advice, codes=ENGINE_CODE)


def _near(name: str, names: Mapping[str, Any]) -> str | None:
    near = difflib.get_close_matches(name, [one for one in names if one != name], n=1)
    return f'did you mean "{near[0]}"?' if near else None
