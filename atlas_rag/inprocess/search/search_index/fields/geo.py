"""The `geo` type: GeoJSON geometries as given; queries read them through the geometry algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition


@dataclass(slots=True)
class GeoField:
    """Points for geoWithin and near; with `shapes`, every geometry for geoShape."""

    name: str
    scope: Scope
    path: str
    shapes: bool
    accepts: tuple[type, ...] = (dict,)

    @property
    def points_name(self) -> str:
        """The name of its points in the index, as scoreDetails shows it."""
        return self.scope.field("geoPoint", self.path)

    @property
    def shapes_name(self) -> str:
        """The name of its shapes in the index, as scoreDetails shows it."""
        return self.scope.field("geoShape", self.path)

    def index(self, partition: Partition, doc: int, value: Mapping[str, Any], *, single: bool) -> None:
        partition.object_column(self.name).add(doc, value)


def geo_field(spec: Mapping[str, Any], scope: Scope, path: str) -> GeoField:
    """Reads a `geo` mapping."""
    return GeoField(scope.field("geo", path), scope, path, bool(spec.get("indexShapes")))
