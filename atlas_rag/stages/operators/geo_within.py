"""`geoWithin`: points inside an area."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import FieldPath
from atlas_rag.stages.operators.geometry import MultiPolygon, Point, Polygon, read_geometry
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, WireModel, invalid, spelled_class

Corner: TypeAlias = Annotated[Point, checks.instance(Point), Read(Point.read)]


@spelled_class
class Circle(WireModel):
    """An area around a point.

    Args:
        center: its middle.
        radius: metres, ≥ 0.
    """

    label: ClassVar[str] = "circle"

    center: Corner
    radius: Annotated[float, checks.not_negative]


@spelled_class
class Box(WireModel):
    """An area between two corners; it cannot lie across the date line.

    Args:
        bottom_left: south-west corner.
        top_right: north-east corner.
    """

    label: ClassVar[str] = "box"

    bottom_left: Corner
    top_right: Corner

    def validate(self) -> None:
        low, high = self.bottom_left.coordinates, self.top_right.coordinates
        if low[0] >= high[0] or low[1] >= high[1]:
            raise invalid("A box has swapped or equal corners", "bottomLeft west and south of topRight")


@spelled_class
class GeoWithin(Operator):
    """Matches documents with a point inside the area; a constant 1.

    Args:
        path: one path or several.
        circle, box, geometry: the area, exactly one; `geometry` is a Polygon or MultiPolygon.
        score: boost or replace the constant.

    Needs: the paths mapped as `geo`. Source: MongoDB documentation, geoWithin.
    """

    label: ClassVar[str] = "geoWithin"

    path: FieldPath
    circle: Annotated[Circle | None, checks.instance(Circle), Read(Circle.read)] = None
    box: Annotated[Box | None, checks.instance(Box), Read(Box.read)] = None
    geometry: Annotated[
        Polygon | MultiPolygon | None, checks.instance(Polygon, MultiPolygon), Read(read_geometry)
    ] = None
    score: ScoreField = None

    def validate(self) -> None:
        if sum(area is not None for area in (self.circle, self.box, self.geometry)) != 1:
            raise invalid("geoWithin has not exactly one area", "one of circle, box, geometry")
