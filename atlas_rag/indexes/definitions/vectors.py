"""What vector fields of both index types share."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from atlas_rag.indexes.definitions.part import Integer, Part

Dimensions: TypeAlias = Annotated[Integer, Field(ge=1, le=8192)]
Similarity: TypeAlias = Literal["cosine", "dotProduct", "euclidean"]
Quantization: TypeAlias = Literal["none", "scalar", "binary"]
IndexingMethod: TypeAlias = Literal["hnsw", "flat"]
VectorEngine: TypeAlias = Literal["lucene", "custom"]


class HnswOptions(Part):
    """The graph of an approximate index.

    Args:
        max_edges: neighbours of a node, 16…64; default 16.
        num_edge_candidates: neighbours considered on insertion, 100…3200; default 100.
    """

    max_edges: Annotated[Integer, Field(ge=16, le=64)] | None = None
    num_edge_candidates: Annotated[Integer, Field(ge=100, le=3200)] | None = None
