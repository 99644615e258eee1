"""An index definition of type "vectorSearch", read into values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.models import Models
from atlas_rag.inprocess.search.vector_index.column import VectorColumn
from atlas_rag.inprocess.search.vector_index.embedded import EmbeddedColumn
from atlas_rag.inprocess.search.vector_index.rows import Quantization
from atlas_rag.inprocess.search.vector_index.similarity import Similarity

NO_MODELS = Models()


@dataclass(frozen=True, slots=True)
class VectorField:
    """A field of type "vector", or "autoEmbed", which has a model.

    `dimensions` 1 to 8192; 0 for as many as the model gives.
    """

    path: str
    dimensions: int
    similarity: Similarity
    quantization: Quantization
    model: str = ""
    models: Models = NO_MODELS

    def column(self, *, lossy: bool) -> VectorColumn:
        """An empty column for this field."""
        if self.model:
            return EmbeddedColumn(
                self.model,
                self.models,
                self.dimensions or None,
                self.similarity,
                self.quantization,
                lossy=lossy,
            )
        return VectorColumn(self.dimensions, self.similarity, self.quantization, lossy=lossy)


@dataclass(frozen=True, slots=True)
class VectorDefinition:
    """What a vector index indexes. `nested_root` is "" for an index without nested vectors."""

    vectors: tuple[VectorField, ...]
    filters: tuple[str, ...]
    nested_root: str
    partitions: int
    stored: Mapping[str, Any] | None

    @classmethod
    def read(cls, definition: Mapping[str, Any], models: Models = NO_MODELS) -> VectorDefinition:
        """Reads a definition that `grammar.vector_index_problems` has accepted.

        Raises:
            EngineRefusal: a field that needs a model which the deployment does not have.
        """
        vectors, filters = [], []
        for field in definition["fields"]:
            if field["type"] == "vector":
                vectors.append(
                    VectorField(
                        path=field["path"],
                        dimensions=int(field["numDimensions"]),
                        similarity=field["similarity"],
                        quantization=field.get("quantization") or "none",
                    )
                )
            elif field["type"] == "autoEmbed":
                vectors.append(_embedded_field(field, models))
            elif field["type"] == "filter":
                filters.append(field["path"])
            else:
                raise EngineRefusal(
                    f'fields of type "{field["type"]}" need an embedding service, which the in-process '
                    'engine does not have; embed the text yourself and index a field of type "vector"'
                )
        return cls(
            vectors=tuple(vectors),
            filters=tuple(filters),
            nested_root=definition.get("nestedRoot") or "",
            partitions=int(definition.get("numPartitions") or 1),
            stored=definition.get("storedSource") or None,
        )

    def is_nested(self, path: str) -> bool:
        """Whether a path lies below the nested root."""
        return bool(self.nested_root) and path.startswith(self.nested_root + ".")


def _embedded_field(field: Mapping[str, Any], models: Models) -> VectorField:
    """A text that a model embeds. Left out, the similarity follows the quantization, as documented."""
    told = field.get("quantization") or "float"
    binary = told.startswith("binary")
    quantization: Quantization = "binary" if binary else "scalar" if told == "scalar" else "none"
    return VectorField(
        path=field["path"],
        dimensions=int(field.get("numDimensions") or 0),
        similarity=field.get("similarity") or ("euclidean" if binary else "dotProduct"),
        quantization=quantization,
        model=field["model"],
        models=models,
    )
