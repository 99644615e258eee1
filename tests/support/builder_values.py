"""Random builders: options are drawn loosely, beyond their bounds too, and what a builder refuses is dropped.

Three things are drawn from what is known to be sound, because builders take them as they are: filters of
`$vectorSearch` (compiled from `Filter`), paging tokens, and expressions and bodies of plain stages.
"""

from __future__ import annotations

import datetime
import math
import uuid
from typing import Any

from bson import ObjectId

from atlas_rag import stages as s
from atlas_rag.query.filter import Filter
from atlas_rag.stages.filters import to_vector_search
from tests.support.drawing import Draw, attempt, dictionaries, one_of, recursive, sampled, several, tuples

TOKEN = "CAEVAACAPw=="  # document 1, score 1.0
PATHS = ["a", "b.c", "crew", "crew.rank", "crew.shifts", "crew.shifts.day", "crew.shifts.day.hour", "$a", ""]

texts = sampled(["quick fox", "a", " ", "", "a*b", "**", "é", "a.b", "[z-a]"]) | Draw(
    lambda random: chr(random.randint(1, 0x2FF))
)
paths = sampled(PATHS)
flags = sampled([True, False])
integers = sampled([1, 2, 0, 3, 50, 1000, 1001, 10_000, 10_001, -1, 2**31 - 1, 2**31, 2**63, True])
floats = sampled([1.0, 0.5, 0.0, -0.0, 2, 1e-46, 1e-50, 3.5e38, -1.5, math.inf, math.nan, True])
floats |= Draw(lambda random: random.uniform(-1e3, 1e3))
words = sampled
dates = sampled([datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (1, 1969, 2024)])
vectors = sampled([s.as_vector([0.5, 1]), s.as_vector([1]), s.ArrayVector([1, 0.25])])


# ------------------------------------------------------------------ parts of operators

text_paths = several(
    paths
    | attempt(s.MultiPath, {"value": paths}, {"multi": texts})
    | attempt(s.WildcardPath, {"wildcard": texts})
)
literals = one_of(
    sampled([None]),
    flags,
    integers,
    floats,
    texts,
    dates,
    sampled([uuid.UUID(int=1), uuid.UUID(int=2), ObjectId(b"\0" * 12), {}, b"x"]),
)
expressions = recursive(
    attempt(s.Number, {"value": floats})
    | sampled([s.Relevance()])
    | attempt(s.FieldValue, {"path": paths}, {"undefined": floats})
    | attempt(
        s.Gauss,
        {"path": sampled([s.FieldValue(path="crew.rank")]), "origin": floats, "scale": floats},
        {"offset": floats, "decay": floats},
    ),
    lambda inner: (
        attempt(s.Add, {"of": tuples(inner, most=3)})
        | attempt(s.Multiply, {"of": tuples(inner, most=3)})
        | attempt(s.Log, {"of": inner})
        | attempt(s.Log1p, {"of": inner})
    ),
    depth=2,
)
plain_scores = (
    attempt(s.Boost, {}, {"value": floats, "path": paths, "undefined": floats})
    | attempt(s.Constant, {"value": floats})
    | attempt(s.Function, {"expression": expressions})
)
any_score = (
    plain_scores
    | attempt(s.Dismax, {}, {"tie_breaker_score": floats})
    | attempt(
        s.Embedded,
        {},
        {"aggregate": words(["sum", "mean", "minimum", "maximum", "max"]), "outer_score": plain_scores},
    )
)
scored = {"score": any_score}
fuzzy = attempt(s.Fuzzy, {}, {"max_edits": integers, "prefix_length": integers, "max_expansions": integers})
positions = tuples(sampled([0, 1.5, -180, 180, 181, -90, 45, math.nan]), least=1)
corners = tuples(sampled(range(-10, 10)), least=2, most=2)


def ring(corner: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    west, south = corner
    return ((west, south), (west + 1, south), (west + 1, south + 1), corner)


polygons = attempt(s.Polygon, {"coordinates": tuples(corners.map(ring), least=1, most=2)})
points = attempt(s.Point, {"coordinates": positions})
lines = tuples(positions, most=3)
geometries = recursive(
    points
    | polygons
    | attempt(s.MultiPoint, {"coordinates": lines})
    | attempt(s.LineString, {"coordinates": lines})
    | attempt(s.MultiLineString, {"coordinates": tuples(lines, most=2)})
    | attempt(
        s.MultiPolygon,
        {"coordinates": tuples(polygons.map(lambda one: one.coordinates), most=2)},
    )
    | attempt(s.Polygon, {"coordinates": tuples(lines, most=2)}),
    lambda inner: attempt(s.GeometryCollection, {"geometries": tuples(inner, most=2)}),
    depth=1,
)

# ------------------------------------------------------------------ operators

affecting = {"does_not_affect": several(texts)}
looks = {"query": several(texts), "path": text_paths}
leaves = one_of(
    attempt(
        s.Text,
        looks,
        {**scored, "fuzzy": fuzzy, "synonyms": texts, "match_criteria": words(["any", "all", "some"])},
    ),
    attempt(s.Phrase, looks, {**scored, "slop": integers, "synonyms": texts}),
    attempt(s.Regex, looks, {**scored, "allow_analyzed_field": flags}),
    attempt(s.Wildcard, looks, {**scored, "allow_analyzed_field": flags}),
    attempt(
        s.Autocomplete,
        {"query": several(texts), "path": paths},
        {**scored, "fuzzy": fuzzy, "token_order": words(["any", "sequential"])},
    ),
    attempt(s.QueryString, {"default_path": paths, "query": texts}, scored),
    attempt(s.Equals, {"path": paths, "value": literals}, {**scored, **affecting}),
    attempt(s.In, {"path": several(paths), "value": several(literals)}, {**scored, **affecting}),
    attempt(
        s.Range,
        {"path": several(paths)},
        {
            **scored,
            **affecting,
            **dict.fromkeys(("gt", "gte", "lt", "lte"), integers | floats | texts | dates),
        },
    ),
    attempt(s.Exists, {"path": paths}, scored),
    attempt(
        s.Near, {"path": several(paths), "origin": literals | points, "pivot": floats | integers}, scored
    ),
    attempt(
        s.GeoShape,
        {
            "path": several(paths),
            "relation": words(["contains", "disjoint", "intersects", "within"]),
            "geometry": geometries,
        },
        scored,
    ),
    attempt(s.GeoWithin, {"path": several(paths), "geometry": geometries}, scored),
    attempt(
        s.GeoWithin,
        {"path": several(paths)},
        {
            **scored,
            "circle": attempt(s.Circle, {"center": points, "radius": floats | integers}),
            "box": attempt(s.Box, {"bottom_left": points, "top_right": points}),
        },
    ),
    attempt(s.MoreLikeThis, {"like": several(dictionaries(texts, literals, most=2))}, scored),
)


def _around(inner: Draw) -> Draw:
    clauses = several(inner)
    return one_of(
        attempt(
            s.Compound,
            {},
            {
                **dict.fromkeys(("must", "filter", "should", "must_not"), clauses),
                "minimum_should_match": integers,
                **affecting,
                **scored,
            },
        ),
        attempt(s.EmbeddedDocument, {"path": sampled(PATHS[2:6]), "operator": inner}, scored),
        attempt(s.HasAncestor, {"ancestor_path": paths, "operator": inner}, scored),
        attempt(s.HasRoot, {"operator": inner}, scored),
        tuples(inner, least=2, most=2).map(lambda two: two[0] & ~two[1]),
        tuples(inner, least=2, most=2).map(lambda two: ~(two[0] | two[1])),
    )


operators = recursive(leaves, _around, depth=2)

# ------------------------------------------------------------------ stages

vector_options: dict[str, Any] = {
    "query": texts,
    "model": texts,
    "exact": flags,
    "nested_options": attempt(s.NestedOptions, {}, {"score_mode": words(["max", "avg", "min"])}),
    "explain_options": attempt(s.ExplainOptions, {}, {"trace_document_ids": several(literals)}),
    "return_stored_source": flags,
}
asked = {"query_vector": vectors | sampled([None]), "num_candidates": integers | sampled([None, 100])}
vector_operators = attempt(
    s.VectorSearchOperator,
    {"path": paths, "limit": integers, **asked},
    {**vector_options, **scored, "filter": operators, "parent_filter": operators},
)
facets = one_of(
    attempt(s.StringFacet, {"path": paths}, {"num_buckets": integers}),
    attempt(
        s.NumberFacet,
        {"path": paths, "boundaries": tuples(integers | floats, most=4)},
        {"default": texts},
    ),
    attempt(s.DateFacet, {"path": paths, "boundaries": tuples(dates, most=3)}, {"default": texts}),
)
collectors = attempt(
    s.Facet,
    {"facets": dictionaries(texts, facets, most=2)},
    {"operator": operators | vector_operators},
)
preferences = attempt(s.NodePreference, {"key": texts})
search_options: dict[str, Any] = {
    "index": texts,
    "count": attempt(s.Count, {}, {"type": words(["total", "lowerBound", "all"]), "threshold": integers}),
    "highlight": attempt(
        s.Highlight, {"path": text_paths}, {"max_num_passages": integers, "max_chars_to_examine": integers}
    ),
    "sort": tuples(
        attempt(s.SortBy, {"path": paths}, {"order": integers, "no_data": words(["lowest", "highest"])})
        | attempt(s.SortByScore, {}, {"key": texts, "order": integers}),
        most=2,
    ),
    "search_after": sampled([TOKEN]),
    "search_before": sampled([""]),
    "score_details": flags,
    "return_stored_source": flags,
    "return_scope": attempt(s.ReturnScope, {"path": paths}),
    "tracking": attempt(s.Tracking, {"search_terms": texts}),
    "concurrent": flags,
    "search_node_preference": preferences,
}
searched = {"operator": operators | vector_operators | collectors}
searches = attempt(s.Search, searched, search_options)
search_metas = attempt(s.SearchMeta, searched, search_options)
filters = sampled(
    [
        Filter.where("a", 1),
        Filter.where("a", None) | Filter.where("b", uuid.UUID(int=1)),
        ~Filter.where("a", "x").where_in("b", [1, 2.5]),
    ]
).map(to_vector_search)
vector_searches = attempt(
    s.VectorSearch,
    {"index": texts, "path": paths, "limit": integers, **asked},
    {**vector_options, "filter": filters, "parent_filter": filters, "search_node_preference": preferences},
)
first_stages = one_of(
    searches, vector_searches, sampled([s.Sort({"a": 1}), s.Match({"$text": {"$search": "x"}}), s.Limit(1)])
)
later_stages = sampled([s.Limit(5), s.Skip(1), s.Match({"a": 1}), s.Unset("a"), s.ScoreStage(score="$a")])
input_pipelines = Draw(
    lambda random: s.Pipeline((first_stages(random), *tuples(later_stages, most=2)(random)))
)
fusion_inputs = {"pipelines": dictionaries(sampled(["a", "b", "a b", "$c"]), input_pipelines, most=2)}
weights = dictionaries(sampled(["a", "b"]), floats, most=2)
normalizations = words(["none", "sigmoid", "minMaxScaler", "max"])
fusions = attempt(s.RankFusion, fusion_inputs, {"weights": weights, "score_details": flags}) | attempt(
    s.ScoreFusion,
    {**fusion_inputs, "normalization": normalizations},
    {
        "weights": weights,
        "score_details": flags,
        "method": words(["avg", "expression"]),
        "expression": sampled([{"$sum": ["$$a", 1]}]),
    },
)
scorings = attempt(
    s.ScoreStage,
    {"score": sampled(["$a", 1, {"$add": ["$a", 1]}, None])},
    {"normalization": normalizations, "weight": floats, "score_details": flags},
) | attempt(
    s.Rerank, {"query": texts, "path": several(paths), "num_docs_to_rerank": integers}, {"model": texts}
)
