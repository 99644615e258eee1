"""Vector fields of both index types: dimensions, similarity, quantization, graph options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Document, Enum, Int32, Literal, Rule, Text, field, required, within
from atlas_rag.grammar.problem import At, Found, problem

DIMENSIONS: Final = Int32(within(1, 8192))
SIMILARITY: Final = Enum("cosine", "dotProduct", "euclidean")
QUANTIZATION: Final = Enum("binary", "none", "scalar")
BITS_PER_BYTE: Final = 8

MODALITY: Final = required("modality", Literal(lambda name: name.lower() == "text", "must be 'text'"))
MODEL: Final = required("model", Text())

GRAPH: Final = (
    field("indexingMethod", Enum("flat", "hnsw")),
    field(
        "hnswOptions",
        Document(
            field("maxEdges", Int32(within(16, 64))),
            field("numEdgeCandidates", Int32(within(100, 3200))),
        ),
    ),
)


def _graph_needs_hnsw(vector: Mapping[str, Any], at: At, found: Found) -> None:
    """A flat index has no graph to give options for."""
    if vector.get("indexingMethod") == "flat" and vector.get("hnswOptions") is not None:
        text = 'hnswOptions is only supported with "indexingMethod: hnsw".'
        found.append(problem(at, text, "exclusive"))


GRAPH_NEEDS_HNSW: Final = Rule(_graph_needs_hnsw, "indexingMethod", "hnswOptions")


def _whole_bytes(vector: Mapping[str, Any], at: At, found: Found) -> None:
    dimensions = vector["numDimensions"]
    if vector.get("quantization") == "binary" and dimensions % BITS_PER_BYTE:
        text = f"numDimensions {int(dimensions)} must be a multiple of 8 for binary quantization"
        found.append(problem(at, text, "bounds"))


VECTOR: Final = (
    required("numDimensions", DIMENSIONS),
    required("similarity", SIMILARITY),
    field("quantization", QUANTIZATION),
    *GRAPH,
    field("engine", Enum("custom", "lucene")),
    Rule(_whole_bytes, "numDimensions", "quantization"),
    GRAPH_NEEDS_HNSW,
)
"""The entries of a `vector` field, beside its place."""
