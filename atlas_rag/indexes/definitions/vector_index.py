"""The definition of an index of type `vectorSearch`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Tag

from atlas_rag.indexes.definitions.definition import IndexDefinition
from atlas_rag.indexes.definitions.part import Flag, Integer, Name, Part, RawPart, Text, kind_by_type
from atlas_rag.indexes.definitions.stored_source import StoredSource
from atlas_rag.indexes.definitions.vectors import (
    Dimensions,
    HnswOptions,
    IndexingMethod,
    Quantization,
    Similarity,
    VectorEngine,
)

PREVIEW_TYPES = frozenset({"embeddedDocuments", "text"})
"""Field types of previews: read as `RawPart`, not offered."""


class VectorField(Part):
    """Vectors at a path: arrays of numbers, or BinData of float32, int8 or packed bits.

    Args:
        path: dotted; distinct.
        num_dimensions: 1…8192; a multiple of 8 for binary quantization and packed bits.
        similarity: `cosine`, `dotProduct` or `euclidean`; packed bits need `euclidean`.
        quantization: of floats: `none` (default), `scalar` or `binary`.
        indexing_method: `hnsw` (default), or `flat`, which has no graph.
        hnsw_options: the graph's size; not with `flat`.
        engine: not documented; read so that definitions survive.
    """

    type: Literal["vector"] = "vector"
    path: Name
    num_dimensions: Dimensions
    similarity: Similarity
    quantization: Quantization | None = None
    indexing_method: IndexingMethod | None = None
    hnsw_options: HnswOptions | None = None
    engine: VectorEngine | None = None


class FilterField(Part):
    """A path that `filter` may name.

    Args:
        path: dotted; distinct; booleans, dates, numbers, ObjectIds, strings and UUIDs.
    """

    type: Literal["filter"] = "filter"
    path: Name


class AutoEmbedField(Part):
    """A text that the deployment embeds itself; asked with `VectorSearch(query=…)`.

    Args:
        path: dotted; distinct.
        model: an embedding model that the deployment knows, such as `voyage-4`.
        modality: `text`.
        num_dimensions, similarity, quantization: default the model's.
        indexing_method, hnsw_options: as of a vector.

    Needs: server 8.2 with automated embedding. Not beside `VectorField`.
    """

    type: Literal["autoEmbed"] = "autoEmbed"
    path: Name
    model: Text
    modality: Text
    num_dimensions: Dimensions | None = None
    similarity: Similarity | None = None
    quantization: Literal["float", "scalar", "binary", "binaryNoRescore"] | None = None
    indexing_method: IndexingMethod | None = None
    hnsw_options: HnswOptions | None = None


VectorIndexField: TypeAlias = Annotated[
    Annotated[VectorField, Tag("vector")]
    | Annotated[FilterField, Tag("filter")]
    | Annotated[AutoEmbedField, Tag("autoEmbed")]
    | Annotated[RawPart, Tag("raw")],
    Discriminator(kind_by_type(PREVIEW_TYPES)),
]


class VectorDefinition(IndexDefinition):
    """An index for `$vectorSearch`.

    Args:
        fields: vectors, filters and texts to embed.
        nested_root: an array of documents whose vectors keep apart; some vector's path lies below it.
        stored_source: what is kept to answer from; never True.
        num_partitions: 1 (default), 2, 4, 8, 16, 32 or 64.

    Source: MongoDB documentation, vector index definitions; bounds were measured on the engine.
    """

    index_type: ClassVar[Literal["search", "vectorSearch"]] = "vectorSearch"

    fields: tuple[VectorIndexField, ...]
    nested_root: Text | None = None
    stored_source: Flag | StoredSource | None = None
    num_partitions: Integer | None = None

    @classmethod
    def _known_raw(cls) -> frozenset[str]:
        return PREVIEW_TYPES
