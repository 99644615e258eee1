"""Whether two definitions mean the same: order-free, with the engine's defaults known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.indexes.wanted import IndexType

MISSING = object()

VECTOR_FIELD_DEFAULTS = {"quantization": "none", "indexingMethod": "hnsw"}
HNSW_DEFAULTS = {"maxEdges": 16, "numEdgeCandidates": 100}
FIELD_DEFAULTS: dict[str, dict[str, Any]] = {
    "string": {"indexOptions": "offsets", "store": True, "norms": "include"},
    "token": {"normalizer": "none"},
    "number": {"representation": "double", "indexIntegers": True, "indexDoubles": True},
    "autocomplete": {"minGrams": 2, "maxGrams": 15, "tokenization": "edgeGram", "foldDiacritics": True},
    "document": {"dynamic": False, "fields": {}},
    "embeddedDocuments": {"dynamic": False, "fields": {}},
    "geo": {"indexShapes": False},
    "vector": VECTOR_FIELD_DEFAULTS,
}
ROOT_DEFAULTS: dict[str, Any] = {
    "analyzer": "lucene.standard",
    "searchAnalyzer": "lucene.standard",
    "storedSource": False,
    "numPartitions": 1,
    "analyzers": [],
    "synonyms": [],
    "typeSets": [],
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two definitions differ: dotted path, what there is, what is wanted."""

    path: str
    present: Any
    wanted: Any

    def __str__(self) -> str:
        return f"{self.path}: {_shown(self.present)} → {_shown(self.wanted)}"


def differences(
    kind: IndexType, present: Mapping[str, Any], wanted: Mapping[str, Any]
) -> tuple[Difference, ...]:
    """Every difference in meaning; none if the deployment would index and search alike."""
    normal = _vector if kind == "vectorSearch" else _search
    return tuple(_walk("", normal(present), normal(wanted)))


def is_legacy(definition: Mapping[str, Any]) -> bool:
    """Whether a search index maps vectors the old way, as `knnVector`."""
    fields = definition.get("mappings", {}).get("fields", {})
    return any(one.get("type") == "knnVector" for value in fields.values() for one in _several(value))


def _vector(definition: Mapping[str, Any]) -> dict[str, Any]:
    fields = {}
    for field in definition.get("fields", ()):
        kind = field.get("type", "vector")
        normal = {**(VECTOR_FIELD_DEFAULTS if kind == "vector" else {}), **field}
        if kind == "vector" and normal.get("indexingMethod") == "hnsw":
            normal["hnswOptions"] = {**HNSW_DEFAULTS, **(field.get("hnswOptions") or {})}
        fields[f"{kind} {field.get('path')}"] = normal
    rest = {key: value for key, value in definition.items() if key != "fields"}
    return {"numPartitions": 1, "storedSource": False, **rest, "fields": fields}


def _search(definition: Mapping[str, Any]) -> dict[str, Any]:
    normal = {**ROOT_DEFAULTS, **definition}
    if "searchAnalyzer" not in definition:
        normal["searchAnalyzer"] = normal["analyzer"]
    normal["mappings"] = _document(definition.get("mappings") or {})
    for key in ("analyzers", "synonyms", "typeSets"):
        normal[key] = {one.get("name"): one for one in normal[key] or ()}
    return normal


def _document(mapping: Mapping[str, Any]) -> dict[str, Any]:
    fields = {
        name: {one.get("type"): _field(one) for one in _several(value)}
        for name, value in (mapping.get("fields") or {}).items()
    }
    return {**mapping, "dynamic": mapping.get("dynamic", False), "fields": fields}


def _field(field: Mapping[str, Any]) -> dict[str, Any]:
    kind = field.get("type", "")
    normal = {**FIELD_DEFAULTS.get(kind, {}), **field}
    if kind in ("document", "embeddedDocuments"):
        normal.update(_document(normal))
    if kind == "vector" and normal.get("indexingMethod") == "hnsw":
        normal["hnswOptions"] = {**HNSW_DEFAULTS, **(field.get("hnswOptions") or {})}
    return normal


def _several(value: Any) -> list[Mapping[str, Any]]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _walk(path: str, present: Any, wanted: Any) -> Iterator[Difference]:
    if isinstance(present, Mapping) and isinstance(wanted, Mapping):
        for key in sorted({*present, *wanted}, key=str):
            below = f"{path}.{key}" if path else str(key)
            yield from _walk(below, present.get(key, MISSING), wanted.get(key, MISSING))
    elif present != wanted:
        yield Difference(path, None if present is MISSING else present, None if wanted is MISSING else wanted)


def _shown(value: Any) -> str:
    return "(none)" if value is None else str(value)
