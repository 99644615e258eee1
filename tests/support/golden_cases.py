"""One value per operator and stage, in the shapes that MongoDB documents, and boats for each to find."""

from __future__ import annotations

import datetime
from typing import Any

from bson import ObjectId

from atlas_rag import stages as s
from atlas_rag.indexes import (
    AutocompleteField,
    EmbeddedDocumentsField,
    FilterField,
    GeoField,
    Mappings,
    SearchDefinition,
    SearchVectorField,
    StringField,
    TokenField,
    VectorDefinition,
    VectorField,
)

VECTOR = s.as_vector([0.5, 0.25, 1, 0])
HARBOUR = s.Point(coordinates=(4.5, 51.9))
AREA = s.Polygon(coordinates=(((4, 51), (5, 51), (5, 52), (4, 52), (4, 51)),))
TITLE = s.Text(query="quiet harbour", path="title")
INPUTS = {
    "text": s.Pipeline([s.Search(index="words", operator=TITLE), s.Limit(20)]),
    "vector": s.Pipeline(
        [s.VectorSearch(index="vectors", path="e", query_vector=VECTOR, limit=20, num_candidates=100)]
    ),
}

OPERATORS: dict[str, s.Operator] = {
    "autocomplete": s.Autocomplete(
        query="har", path="name", token_order="sequential", fuzzy=s.Fuzzy(max_edits=1, prefix_length=1)
    ),
    "compound": s.Compound(
        must=(TITLE,),
        filter=(s.Range(path="price", lt=900), s.Equals(path="sold", value=False)),
        should=(s.Exists(path="built"), s.Near(path="price", origin=100, pivot=50)),
        must_not=(s.Equals(path="flag", value="XX"),),
        minimum_should_match=1,
        score=s.Boost(value=3),
    ),
    "embeddedDocument": s.EmbeddedDocument(
        path="crew",
        operator=s.Text(query="mate", path="crew.rank"),
        score=s.Embedded(aggregate="mean", outer_score=s.Boost(value=2)),
    ),
    "equals": s.Equals(path="flag", value="NL", score=s.Constant(value=2)),
    "exists": s.Exists(path="built"),
    "facet": s.Facet(
        operator=s.Range(path="price", gte=0),
        facets={
            "flags": s.StringFacet(path="flag", num_buckets=5),
            "prices": s.NumberFacet(path="price", boundaries=(0, 100, 1000), default="other"),
            "years": s.DateFacet(
                path="built",
                boundaries=tuple(datetime.datetime(year, 1, 1, tzinfo=datetime.UTC) for year in (1990, 2030)),
            ),
        },
    ),
    "geoShape": s.GeoShape(path="place", relation="intersects", geometry=AREA),
    "geoWithin": s.GeoWithin(path="place", circle=s.Circle(center=HARBOUR, radius=20_000)),
    "hasAncestor": s.EmbeddedDocument(
        path="crew.shifts",
        operator=s.HasAncestor(ancestor_path="crew", operator=s.Text(query="mate", path="crew.rank")),
    ),
    "hasRoot": s.EmbeddedDocument(path="crew", operator=s.HasRoot(operator=TITLE)),
    "in": s.In(path="flag", value=("NL", "BE")),
    "moreLikeThis": s.MoreLikeThis(like={"title": "quiet harbour"}),
    "near": s.Near(path="place", origin=HARBOUR, pivot=1000),
    "phrase": s.Phrase(query="quiet harbour", path="title", slop=2),
    "queryString": s.QueryString(default_path="title", query="(quiet AND harbour) OR storm"),
    "range": s.Range(path="_id", gte=ObjectId(b"\0" * 12), lt=ObjectId(b"\xff" * 12)),
    "regex": s.Regex(query="harb.*", path="title", allow_analyzed_field=True),
    "text": s.Text(
        query=("quiet harbour", "storm"),
        path=("title", s.MultiPath(value="title", multi="english"), s.WildcardPath(wildcard="title*")),
        match_criteria="all",
        score=s.Function(expression=s.Relevance() * s.Log1p(of=s.FieldValue(path="price", undefined=1))),
    ),
    "vectorSearch": s.VectorSearchOperator(
        path="e", query_vector=VECTOR, limit=5, num_candidates=50, filter=TITLE
    ),
    "wildcard": s.Wildcard(query="har?our", path="title", allow_analyzed_field=True),
}
"""By operator; `hasAncestor` and `hasRoot` inside the operator that they need around them."""

STAGES: dict[str, Any] = {
    "$search": s.Search(
        index="words",
        operator=TITLE,
        count=s.Count(type="total"),
        highlight=s.Highlight(path="title", max_num_passages=2),
        sort=(s.SortBy(path="price", order=-1, no_data="highest"), s.SortByScore()),
        score_details=True,
    ),
    "$searchMeta": s.SearchMeta(index="words", operator=OPERATORS["facet"]),
    "$vectorSearch": s.VectorSearch(
        index="vectors",
        path="e",
        query_vector=VECTOR,
        limit=5,
        num_candidates=100,
        filter={"flag": {"$in": ["NL", "BE"]}},
    ),
    "$rankFusion": s.RankFusion(pipelines=INPUTS, weights={"text": 0.5}, score_details=True),
    "$scoreFusion": s.ScoreFusion(
        pipelines=INPUTS,
        normalization="sigmoid",
        method="expression",
        expression={"$sum": [{"$multiply": ["$$text", 2]}, "$$vector"]},
    ),
    "$score": s.ScoreStage(score={"$divide": ["$price", 10]}, normalization="minMaxScaler", weight=0.5),
    "$rerank": s.Rerank(query="quiet harbour", path=("title",), num_docs_to_rerank=50, model="rerank-2.5"),
    "$listSearchIndexes": s.ListSearchIndexes(name_="words"),
}
"""By stage."""


BOATS: list[dict[str, Any]] = [
    {
        "_id": ObjectId(bytes([number] * 12)),
        "title": title,
        "name": title,
        "flag": "NL",
        "price": 90 + number,
        "sold": False,
        "built": datetime.datetime(2000 + number, 1, 1, tzinfo=datetime.UTC),
        "place": {"type": "Point", "coordinates": [4.5, 51.9]},
        "crew": [{"rank": "first mate", "shifts": [{"day": "monday"}]}],
        "e": [0.5, 0.25, 1.0, 0.0],
    }
    for number, title in enumerate(["quiet harbour", "storm and quiet harbour", "quiet harbour, old"], 1)
]

WORDS = SearchDefinition(
    mappings=Mappings(
        dynamic=True,
        fields={
            "title": StringField(multi={"english": StringField(analyzer="lucene.english")}),
            "name": AutocompleteField(),
            "flag": TokenField(),
            "place": GeoField(index_shapes=True),
            "e": SearchVectorField(num_dimensions=4, similarity="cosine"),
            "crew": EmbeddedDocumentsField(
                dynamic=True, fields={"shifts": EmbeddedDocumentsField(dynamic=True)}
            ),
        },
    )
)
VECTORS = VectorDefinition(
    fields=(VectorField(path="e", num_dimensions=4, similarity="cosine"), FilterField(path="flag"))
)


def documents() -> dict[str, Any]:
    """What each file holds, by the name of the file."""
    operators = {f"operator_{name}": value.to_operator() for name, value in OPERATORS.items()}
    stages = {f"stage_{name[1:]}": value.to_stage() for name, value in STAGES.items()}
    definitions = {"index_search": WORDS.to_definition(), "index_vector": VECTORS.to_definition()}
    return operators | stages | definitions
