"""Strategies of pipelines: single stages with any expression, and several stages that cannot fail.

A server reorders stages, and so meets errors on other documents than a plain reading does; that is why only
pipelines of one stage may fail here.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.support.mql.expressions import expressions
from tests.support.mql.filters import filters
from tests.support.mql.places import place_pipelines
from tests.support.mql.schemas import schemas
from tests.support.mql.series import series_pipelines
from tests.support.mql.values import values

Stage = dict[str, Any]
SHORT_PATHS = ["a", "b", "n", "s", "l", "o", "a.b", "o.a", "l.a", "z", "z.y", "a.b.c"]
paths = st.sampled_from(SHORT_PATHS)
fields = st.sampled_from(["$a", "$b", "$n", "$m", "$s", "$l", "$o", "$a.b", "$l.a", "$z", "$d", "$_id", "$f"])
# Expressions that give a value for every document.
safe = st.one_of(
    fields,
    st.builds(lambda value: {"$literal": value}, values),
    st.builds(lambda path: {"$type": path}, fields),
    st.builds(lambda left, right: {"$ifNull": [left, right]}, fields, fields),
    st.builds(lambda left, right: {"$eq": [left, right]}, fields, fields),
    st.builds(lambda left, right: {"$gt": [left, right]}, fields, fields),
    st.builds(lambda test, left, right: {"$cond": [test, left, right]}, fields, fields, fields),
    st.builds(lambda left, right: {"x": left, "y": right}, fields, fields),
    st.builds(lambda left, right: [left, right], fields, fields),
)
flags = st.sampled_from([0, 1, True, False])


@st.composite
def _projections(draw: st.DrawFn) -> Stage:
    keep = draw(st.booleans())
    chosen = draw(st.lists(paths, min_size=1, max_size=3, unique=True))
    fields_ = {
        path: draw(st.sampled_from([1, True]) if keep else st.sampled_from([0, False])) for path in chosen
    }
    if keep and draw(st.booleans()):
        fields_[draw(st.sampled_from(["q", "a.q", "o.q", "l.q"]))] = draw(safe)
    if draw(st.booleans()):
        fields_["_id"] = draw(flags)
    return {"$project": fields_}


@st.composite
def _accumulations(draw: st.DrawFn) -> dict[str, Any]:
    name = draw(st.sampled_from(ACCUMULATORS))
    if name == "$count":
        return {"$count": {}}
    if name in ("$firstN", "$lastN", "$minN", "$maxN"):
        return {name: {"n": draw(st.integers(1, 3)), "input": draw(safe)}}
    if name in ("$top", "$bottom", "$topN", "$bottomN"):
        order = {draw(paths): draw(st.sampled_from([1, -1])), "_id": 1}
        given = {"sortBy": order, "output": draw(fields)}
        return {name: {**given, "n": draw(st.integers(1, 3))} if name.endswith("N") else given}
    return {name: draw(safe if name not in ("$sum", "$avg") else fields)}


ACCUMULATORS = [
    *("$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$count", "$stdDevPop", "$stdDevSamp"),
    *("$firstN", "$lastN", "$minN", "$maxN", "$top", "$bottom", "$topN", "$bottomN"),
]


@st.composite
def _groups(draw: st.DrawFn) -> Stage:
    outputs = draw(st.dictionaries(st.sampled_from(["u", "v"]), _accumulations(), max_size=2))
    return {"$group": {"_id": draw(st.one_of(st.none(), safe)), **outputs}}


@st.composite
def _windows(draw: st.DrawFn) -> Stage:
    window = draw(
        st.sampled_from(
            [None, {"documents": ["unbounded", "current"]}, {"documents": [-1, 1]}, {"range": [-1, 1]}]
        )
    )
    output = draw(st.sampled_from([{"$sum": "$n"}, {"$push": "$_id"}, {"$max": "$a"}, {"$avg": "$m"}]))
    output = {**output, "window": window} if window else output
    if draw(st.booleans()):
        output = draw(
            st.sampled_from(
                [
                    {"$rank": {}},
                    {"$denseRank": {}},
                    {"$documentNumber": {}},
                    {"$shift": {"output": "$a", "by": 1}},
                ]
            )
        )
    argument: dict[str, Any] = {"sortBy": {"_id": draw(st.sampled_from([1, 1, -1]))}, "output": {"w": output}}
    if window == {"range": [-1, 1]}:
        argument["sortBy"] = {"_id": 1}
    if draw(st.booleans()):
        argument["partitionBy"] = draw(st.sampled_from(["$f", "$n", "$z", {"$type": "$a"}]))
    return {"$setWindowFields": argument}


set_fields = st.builds(
    lambda name, path, value: {name: {path: value}},
    st.sampled_from(["$set", "$addFields"]),
    st.sampled_from(["q", "a", "a.q", "o.q", "l.q", "z.y.x", "a.b.q"]),
    safe,
)
unsets = st.builds(lambda path: {"$unset": path}, paths)
unwinds = st.one_of(
    st.builds(lambda path: {"$unwind": path}, st.sampled_from(["$l", "$a", "$o.a", "$z"])),
    st.builds(
        lambda path, keep, index: {
            "$unwind": {
                "path": path,
                "preserveNullAndEmptyArrays": keep,
                **({"includeArrayIndex": index} if index else {}),
            }
        },
        st.sampled_from(["$l", "$a", "$o.a"]),
        st.booleans(),
        st.sampled_from([None, "i", "o.i"]),
    ),
)
sorts = st.builds(
    lambda path, way: {"$sort": {path: way, **({} if path == "_id" else {"_id": 1})}},
    st.one_of(paths, st.just("_id")),
    st.sampled_from([1, -1]),
)
compound_sorts = st.builds(
    lambda first, second, ways: [
        {"$sort": {first: ways[0], second: ways[1], "_id": 1}},
        {"$project": {"_id": 1}},
    ],
    paths,
    st.sampled_from([*SHORT_PATHS, "l.b", "a.c", "o.b"]),
    st.sampled_from([(1, 1), (1, -1), (-1, 1), (-1, -1)]),
)
replacements = st.builds(
    lambda path: {"$replaceWith": {"$mergeObjects": ["$$ROOT", {"_id": "$_id", "q": path}]}}, fields
)
matches = st.builds(lambda clause: {"$match": clause}, filters)
lookups = st.one_of(
    st.builds(
        lambda local, foreign: {
            "$lookup": {"from": "x", "localField": local, "foreignField": foreign, "as": "r"}
        },
        st.sampled_from(["a", "n", "l", "o.a", "l.a", "z"]),
        st.sampled_from(["a", "n", "l", "o.a", "_id", "z"]),
    ),
    st.builds(
        lambda left, right: {
            "$lookup": {
                "from": "x",
                "let": {"v": left},
                "pipeline": [{"$match": {"$expr": {"$eq": [right, "$$v"]}}}, {"$project": {"_id": 1}}],
                "as": "r",
            }
        },
        fields,
        fields,
    ),
)
unions = st.builds(lambda clause: {"$unionWith": {"coll": "x", "pipeline": [{"$match": clause}]}}, filters)
facets = st.builds(
    lambda first, second: {"$facet": {"p": [first], "q": [second, {"$count": "count"}]}},
    st.one_of(set_fields, unsets, sorts, matches),
    st.one_of(set_fields, matches, unwinds),
)
bucket_autos = st.builds(
    lambda path, count: {"$bucketAuto": {"groupBy": path, "buckets": count}}, fields, st.integers(1, 4)
)
rounded_buckets = st.builds(
    lambda name, count: [
        {"$match": {"n": {"$gte": 0, "$lt": float("inf")}}},
        {"$bucketAuto": {"groupBy": "$n", "buckets": count, "granularity": name}},
    ],
    st.sampled_from(["R5", "R10", "R20", "R40", "R80", "1-2-5", "E6", "E24", "E96", "E192", "POWERSOF2"]),
    st.integers(1, 4),
)
buckets = st.builds(
    lambda path: {"$bucket": {"groupBy": path, "boundaries": [0, 2, 100], "default": "other"}}, fields
)
counts = st.sampled_from([{"$count": "count"}, {"$sortByCount": "$f"}])
limits = st.builds(lambda name, count: {name: count}, st.sampled_from(["$limit", "$skip"]), st.integers(1, 3))

# Stages that keep `_id`s distinct, and so leave an order by `_id` complete.
one_to_one = st.one_of(set_fields, unsets, sorts, matches, lookups, _windows(), replacements, _projections())
last_stages = st.one_of(_groups(), unwinds, unions, facets, buckets, bucket_autos, counts, _projections())


@st.composite
def safe_pipelines(draw: st.DrawFn) -> list[Stage]:
    """Several stages, none of which fails on a document."""
    stages = draw(st.lists(one_to_one, max_size=3))
    if draw(st.booleans()):
        stages += [{"$sort": {draw(paths): draw(st.sampled_from([1, -1])), "_id": 1}}, draw(limits)]
    if draw(st.booleans()):
        stages.append(draw(last_stages))
    return stages or [draw(one_to_one)]


expression_stages = st.one_of(
    st.builds(lambda value: [{"$project": {"v": value}}], expressions()),
    st.builds(lambda value: [{"$replaceWith": {"v": value}}], expressions(depth=3)),
    st.builds(lambda value: [{"$match": {"$expr": value}}], expressions("bool")),
    st.builds(lambda value: [{"$set": {"a.v": value}}], expressions()),
)
filter_stages = st.builds(lambda clause: [{"$match": clause}], filters)
schema_stages = st.builds(lambda schema: [{"$match": {"$jsonSchema": schema}}], schemas)
# What `scripts/parity.py --family` can be told to keep to.
FAMILIES: dict[str, st.SearchStrategy[list[Stage]]] = {
    "filters": filter_stages,
    "schemas": schema_stages,
    "expressions": expression_stages,
    "series": series_pipelines,
    "places": place_pipelines(),
    "stages": safe_pipelines(),
    "sorts": st.one_of(compound_sorts, compound_sorts, rounded_buckets),
}
pipelines = st.one_of(*FAMILIES.values())
