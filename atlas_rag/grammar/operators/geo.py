"""`geoWithin` and `geoShape`: shapes inside an area, shapes related to a shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.geometry import GEOMETRY, POINT, shapes
from atlas_rag.grammar.kit import NOT_NEGATIVE, Document, Double, Enum, Rule, exactly_one, field, required
from atlas_rag.grammar.operators.common import FIELDS
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import SCORE


def _corners(box: Mapping[str, Any], at: At, found: Found) -> None:
    (west, south), (east, north) = (box[corner]["coordinates"][:2] for corner in ("bottomLeft", "topRight"))
    if west >= east:
        text = "bottomLeft.longitude must be smaller than topRight.longitude"
        found.append(problem(at, text, "bounds"))
    if south >= north:
        text = "bottomLeft.latitude must be smaller than topRight.latitude"
        found.append(problem(at, text, "bounds"))


class _Area:
    """A geometry that something can lie in."""

    def check(self, value: Any, at: At, found: Found) -> None:
        before = len(found)
        GEOMETRY.check(value, at, found)
        if len(found) == before and value["type"] not in ("Polygon", "MultiPolygon"):
            found.append(problem(at, "Geometry must be a Polygon", "geometry"))


GEO_WITHIN: Final = Document(
    SCORE,
    FIELDS,
    exactly_one(
        field("circle", Document(required("center", POINT), required("radius", Double(NOT_NEGATIVE)))),
        field(
            "box",
            Document(
                required("bottomLeft", POINT),
                required("topRight", POINT),
                Rule(_corners, "bottomLeft", "topRight"),
            ),
        ),
        field("geometry", _Area()),
    ),
)


def _relation(query: Mapping[str, Any], at: At, found: Found) -> None:
    simple = set(shapes(query["geometry"]))
    if not simple:
        found.append(problem(at, "must be more than one geometry present", "geometry"))
    elif query["relation"] == "within":
        for shape, words in (("Point", "points"), ("LineString", "lines")):
            if shape in simple:
                text = f"cannot use relation 'within' with {words}"
                found.append(problem(at, text, "geometry"))


GEO_SHAPE: Final = Document(
    required("geometry", GEOMETRY),
    FIELDS,
    required("relation", Enum("contains", "disjoint", "intersects", "within")),
    SCORE,
    Rule(_relation, "geometry", "relation"),
)
