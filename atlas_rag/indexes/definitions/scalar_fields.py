"""Field types of a search index that hold single values.

Source: MongoDB documentation, field types; bounds and defaults were measured on the engine.
"""

from __future__ import annotations

from typing import Literal

from atlas_rag.indexes.definitions.part import Flag, Part, Text
from atlas_rag.indexes.definitions.vectors import (
    Dimensions,
    HnswOptions,
    IndexingMethod,
    Quantization,
    Similarity,
    VectorEngine,
)


class BooleanField(Part):
    """Booleans: `equals`, `in`, sort."""

    type: Literal["boolean"] = "boolean"


class DateField(Part):
    """Dates: `range`, `near`, `equals`, `in`, date facets, sort."""

    type: Literal["date"] = "date"


class ObjectIdField(Part):
    """ObjectIds: `equals`, `in`, `range`, sort."""

    type: Literal["objectId"] = "objectId"


class UuidField(Part):
    """UUIDs (BinData of subtype 4): `equals`, `in`, `range`, sort."""

    type: Literal["uuid"] = "uuid"


class NumberField(Part):
    """Numbers: `range`, `near`, `equals`, `in`, number facets, sort, score functions; never Decimal128.

    Args:
        representation: `double` (default), or `int64`, which keeps large integers apart and cuts fractions.
        index_integers, index_doubles: which numbers to index; default both, not both False.
    """

    type: Literal["number"] = "number"
    representation: Literal["double", "int64"] | None = None
    index_integers: Flag | None = None
    index_doubles: Flag | None = None


class TokenField(Part):
    """Strings as one token: `equals`, `in`, `range`, string facets, sort. Cut at 8191 characters.

    Args:
        normalizer: `lowercase`, or `none` (default).
    """

    type: Literal["token"] = "token"
    normalizer: Literal["none", "lowercase"] | None = None


class GeoField(Part):
    """GeoJSON: `near`, `geoWithin`.

    Args:
        index_shapes: index lines and polygons too, for `geoShape`; default False.
    """

    type: Literal["geo"] = "geo"
    index_shapes: Flag | None = None


class SearchVectorField(Part):
    """Vectors inside a search index, for the operator `vectorSearch`; `$vectorSearch` cannot read them.

    Args:
        num_dimensions: 1…8192; a multiple of 8 for binary quantization.
        similarity: `cosine`, `dotProduct` or `euclidean`.
        quantization: `none` (default), `scalar` or `binary`.
        indexing_method: `hnsw` (default), or `flat`, which has no graph.
        hnsw_options: the graph's size; not with `flat`.
        engine: not documented; read so that definitions survive.
    """

    type: Literal["vector"] = "vector"
    num_dimensions: Dimensions
    similarity: Similarity
    quantization: Quantization | None = None
    indexing_method: IndexingMethod | None = None
    hnsw_options: HnswOptions | None = None
    engine: VectorEngine | None = None


class AutoEmbedVectorField(Part):
    """Vectors that the deployment computes from a text field.

    Args:
        model: an embedding model that the deployment knows.
        modality: `text`.
        source_field: path of the text.
    """

    type: Literal["autoEmbedVector"] = "autoEmbedVector"
    model: Text
    modality: Text
    source_field: Text
