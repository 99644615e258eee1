"""`geoShape`: shapes in relation to a shape."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import FieldPath
from atlas_rag.stages.operators.geometry import Geometry, read_geometry
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, invalid, spelled_class


@spelled_class
class GeoShape(Operator):
    """Matches documents whose shape stands in the relation to the geometry; a constant 1.

    Args:
        path: one path or several.
        relation: what the document's shape does: `contains`, `disjoint`, `intersects`, or `within`, which
            no point or line can hold anything.
        geometry: the shape to compare with.
        score: boost or replace the constant.

    Needs: the paths mapped as `geo` with `indexShapes: true`. Source: MongoDB documentation, geoShape.
    """

    label: ClassVar[str] = "geoShape"

    path: FieldPath
    relation: Annotated[str, checks.one_of("contains", "disjoint", "intersects", "within")]
    geometry: Annotated[Geometry, checks.instance(Geometry), Read(read_geometry)]
    score: ScoreField = None

    def validate(self) -> None:
        if self.relation == "within" and {"Point", "LineString"}.intersection(self.geometry.simple()):
            raise invalid("geoShape asks for what lies within a point or line", "a geometry of polygons")
