"""The `vector` and `knnVector` types: one vector of a document, for the operators of the same names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bson.binary import Binary

from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.vector_index import VectorColumn


@dataclass(slots=True)
class VectorField:
    """A vector type at a path; `legacy` is the older one, which only `knnBeta` asks; `lossy`: see `loss`."""

    name: str
    path: str
    dimensions: int
    similarity: Any
    quantization: Any
    legacy: bool
    lossy: bool
    accepts: tuple[type, ...] = (Binary, bytes, list)

    def index(self, partition: Partition, doc: int, value: Any, *, single: bool) -> None:
        """Indexes a vector that stands alone; vectors in an array are ignored, as the engine does."""
        if single:
            partition.vector_column(self.name, self.column).put(doc, value)

    def column(self) -> VectorColumn:
        """Returns an empty column for the field."""
        return VectorColumn(
            self.dimensions, self.similarity, self.quantization, arrays=False, lossy=self.lossy
        )


def vector_field(spec: Mapping[str, Any], scope: Scope, path: str, *, lossy: bool) -> VectorField:
    """Reads a `vector` or `knnVector` mapping."""
    legacy = spec["type"] == "knnVector"
    return VectorField(
        name=scope.field("knnVector" if legacy else "vector", path),
        path=path,
        dimensions=int(spec["dimensions" if legacy else "numDimensions"]),
        similarity=spec["similarity"],
        quantization=spec.get("quantization") or "none",
        legacy=legacy,
        lossy=lossy,
    )
