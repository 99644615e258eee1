"""Whether two definitions mean the same: order-free, with the engine's defaults known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.indexes.desired.wanted import IndexType

MISSING = object()

HNSW_DEFAULTS = {"maxEdges": 16, "numEdgeCandidates": 100}
VECTOR_DEFAULTS = {"quantization": "none", "indexingMethod": "hnsw"}
MAPPING_DEFAULTS: dict[str, Any] = {"dynamic": False, "fields": {}}
FIELD_DEFAULTS: dict[str, dict[str, Any]] = {
    "string": {"indexOptions": "offsets", "store": True, "norms": "include"},
    "token": {"normalizer": "none"},
    "number": {"representation": "double", "indexIntegers": True, "indexDoubles": True},
    "autocomplete": {"minGrams": 2, "maxGrams": 15, "tokenization": "edgeGram", "foldDiacritics": True},
    "document": MAPPING_DEFAULTS,
    "embeddedDocuments": MAPPING_DEFAULTS,
    "geo": {"indexShapes": False},
    "vector": VECTOR_DEFAULTS,
}
ROOT_DEFAULTS: dict[str, Any] = {
    "analyzer": "lucene.standard",
    "storedSource": False,
    "numPartitions": 1,
    "analyzers": [],
    "synonyms": [],
    "typeSets": [],
}
"""What the engine takes where a definition is silent. Source: MongoDB documentation, index definitions."""


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


def legacy_vectors(definition: Mapping[str, Any]) -> tuple[str, ...]:
    """The paths that a search index maps the old way, as `knnVector`."""
    return tuple(_legacy(definition.get("mappings") or {}, ""))


def _legacy(mapping: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, value in (mapping.get("fields") or {}).items():
        for field in _several(value):
            if field.get("type") == "knnVector":
                yield prefix + name
            elif "fields" in field:
                yield from _legacy(field, f"{prefix}{name}.")


def _vector(definition: Mapping[str, Any]) -> dict[str, Any]:
    fields = {}
    for field in definition.get("fields", ()):
        kind = field.get("type", "vector")
        fields[f"{kind} {field.get('path')}"] = _vector_options(field) if kind == "vector" else dict(field)
    rest = {key: value for key, value in definition.items() if key not in ("fields", "storedSource")}
    stored = _stored_source(definition.get("storedSource", False))
    return {"numPartitions": 1, **rest, "storedSource": stored, "fields": fields}


def _vector_options(field: Mapping[str, Any]) -> dict[str, Any]:
    normal = {**VECTOR_DEFAULTS, **field}
    if normal["indexingMethod"] == "hnsw":
        normal["hnswOptions"] = {**HNSW_DEFAULTS, **(field.get("hnswOptions") or {})}
    return normal


def _search(definition: Mapping[str, Any]) -> dict[str, Any]:
    normal = {**ROOT_DEFAULTS, **definition}
    normal.setdefault("searchAnalyzer", normal["analyzer"])
    normal["storedSource"] = _stored_source(normal["storedSource"])
    normal["mappings"] = _mapping(definition.get("mappings") or {})
    for key in ("analyzers", "synonyms", "typeSets"):
        normal[key] = {one.get("name"): one for one in normal[key] or ()}
    normal["typeSets"] = {
        name: {**one, "types": {field.get("type"): _field(field) for field in one.get("types", ())}}
        for name, one in normal["typeSets"].items()
    }
    return normal


def _mapping(mapping: Mapping[str, Any]) -> dict[str, Any]:
    fields = {
        name: {field.get("type"): _field(field) for field in _several(value)}
        for name, value in (mapping.get("fields") or {}).items()
    }
    return {**MAPPING_DEFAULTS, **mapping, "fields": fields}


def _field(field: Mapping[str, Any]) -> dict[str, Any]:
    kind = field.get("type", "")
    if kind == "vector":
        return _vector_options(field)
    normal = {**FIELD_DEFAULTS.get(kind, {}), **field}
    if kind in ("document", "embeddedDocuments"):
        normal = _mapping(normal)
    if kind == "string" and "analyzer" in field:
        normal.setdefault("searchAnalyzer", field["analyzer"])
    return normal


def _stored_source(value: Any) -> Any:
    """Included or excluded paths, in an order of their own."""
    if not isinstance(value, Mapping):
        return value
    return {key: sorted(paths) for key, paths in value.items()}


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
