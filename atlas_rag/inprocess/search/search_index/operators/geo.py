"""The `geoWithin` and `geoShape` operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.geo.areas import Area, Box, Circle, Polygons
from atlas_rag.inprocess.search.algorithms.geo.geojson import (
    Polygon,
    Position,
    check_position,
    query_shapes,
)
from atlas_rag.inprocess.search.search_index.fields.geo import GeoField
from atlas_rag.inprocess.search.search_index.operators.context import Context, plain_paths
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.geo import InArea, InRelation


def build_within(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `geoWithin` document."""
    area = _area(spec)
    fields = [_field("geoWithin", path, context) for path in plain_paths(spec["path"])]
    parts: list[Query] = [InArea(field.name, field.points_name, area) for field in fields]
    return scored(should(parts), spec, context)


def build_shape(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `geoShape` document."""
    shapes = query_shapes(spec["geometry"])
    parts: list[Query] = []
    for path in plain_paths(spec["path"]):
        field = _field("geoShape", path, context)
        if not field.shapes:
            raise EngineRefusal(
                f"geoShape requires path '{path}' to be indexed as 'geo' with indexShapes=true"
            )
        parts.append(InRelation(field.name, field.shapes_name, spec["relation"], shapes))
    return scored(should(parts), spec, context)


def position(point: Mapping[str, Any]) -> Position:
    """Reads a GeoJSON point of a query; refuses one beyond the globe."""
    longitude, latitude = point["coordinates"][:2]
    check_position((float(longitude), float(latitude)))
    return float(longitude), float(latitude)


def _field(operator: str, path: str, context: Context) -> GeoField:
    node = context.node(path)
    if node is None or node.geo is None:
        raise EngineRefusal(f"{operator} requires path '{path}' to be indexed as 'geo'")
    return node.geo


def _area(spec: Mapping[str, Any]) -> Area:
    if spec.get("circle") is not None:
        return Circle(position(spec["circle"]["center"]), float(spec["circle"]["radius"]))
    if spec.get("box") is not None:
        return Box(position(spec["box"]["bottomLeft"]), position(spec["box"]["topRight"]))
    shapes = query_shapes(spec["geometry"])
    return Polygons(tuple(shape for shape in shapes if isinstance(shape, Polygon)))
