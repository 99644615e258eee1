"""Strategies of places and areas on the globe, and of the filters that compare them.

Documents lie on whole degrees and areas between them, so that none lies on the edge of another, where the
server's answer hangs on how it cuts the globe into cells.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]
Stage = dict[str, Any]


def _positions(shift: float) -> Strategy:
    return st.builds(
        lambda x, y: [x + shift, y + shift / 2],
        st.integers(-60, 60).map(lambda x: 2 * x),
        st.integers(-38, 38),
    )


@st.composite
def _ring(draw: st.DrawFn, shift: float) -> list[list[float]]:
    """A triangle or a quadrilateral around a position, now and then one that crosses itself."""
    x, y = draw(_positions(shift))
    width, height = draw(st.integers(1, 30)), draw(st.integers(1, 12))
    corners = [[x - width, y - height], [x + width, y - height + 1], [x + width - 1, y + height]]
    if draw(st.booleans()):
        corners.append([x - width, y + height - 1])
    if draw(st.integers(0, 9)) == 0:
        corners = draw(st.permutations(corners))
    return [*corners, corners[0]]


def _geometry(kind: str, coordinates: Strategy) -> Strategy:
    return st.builds(lambda value: {"type": kind, "coordinates": value}, coordinates)


def _lines(shift: float) -> Strategy:
    return st.lists(_positions(shift), min_size=2, max_size=3)


def _geometries(shift: float) -> Strategy:
    return st.one_of(
        _geometry("Point", _positions(shift)),
        _geometry("LineString", _lines(shift)),
        _geometry("Polygon", st.lists(_ring(shift), min_size=1, max_size=1)),
        _geometry("MultiPoint", st.lists(_positions(shift), min_size=1, max_size=3)),
        _geometry("MultiLineString", st.lists(_lines(shift), min_size=1, max_size=2)),
    )


stored = st.one_of(
    _geometries(0.0),
    _geometries(0.0),
    _positions(0.0),
    st.builds(lambda point: {"lng": point[0], "lat": point[1]}, _positions(0.0)),
    st.lists(_geometry("Point", _positions(0.0)), max_size=2),
    st.sampled_from([None, "x", [1], {"type": "Point"}, {"type": "Point", "coordinates": [200, 0]}]),
)
_AREA = 0.37
circles = st.builds(lambda point, radius: [point, radius], _positions(_AREA), st.integers(0, 60))
within = st.one_of(
    _geometry("Polygon", st.lists(_ring(_AREA), min_size=1, max_size=1)).map(
        lambda area: {"$geometry": area}
    ),
    _geometry(
        "MultiPolygon", st.lists(st.lists(_ring(_AREA), min_size=1, max_size=1), min_size=1, max_size=2)
    ).map(lambda area: {"$geometry": area}),
    st.builds(lambda low, high: {"$box": [low, high]}, _positions(_AREA), _positions(_AREA)),
    st.builds(lambda corners: {"$polygon": corners}, st.lists(_positions(_AREA), min_size=3, max_size=5)),
    circles.map(lambda circle: {"$center": circle}),
    circles.map(lambda circle: {"$centerSphere": [circle[0], circle[1] / 19]}),
)
intersected = st.one_of(
    _geometries(_AREA), _geometries(0.0).filter(lambda value: "Point" in value["type"])
).map(lambda area: {"$geometry": area})
clauses = st.one_of(
    st.builds(lambda area: {"$geoWithin": area}, within),
    st.builds(lambda area: {"$geoIntersects": area}, intersected),
    st.builds(lambda area: {"$not": {"$geoWithin": area}}, within),
)


@st.composite
def place_pipelines(draw: st.DrawFn) -> list[Stage]:
    """Four places, by `_id`, and a filter on them."""
    places = draw(st.lists(stored, min_size=4, max_size=4))
    given = {"$arrayElemAt": [{"$literal": places}, "$_id"]}
    return [{"$project": {"g": given}}, {"$match": {"g": draw(clauses)}}]
