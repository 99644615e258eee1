"""2 SPELL: one aggregation stage per file, frozen value to plain dict; the pipeline checks positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.stages.array_vector import ArrayVector
    from atlas_rag.stages.list_search_indexes import ListSearchIndexes
    from atlas_rag.stages.meta import SEARCH_META, Meta
    from atlas_rag.stages.operators.autocomplete import Autocomplete
    from atlas_rag.stages.operators.common import Fuzzy
    from atlas_rag.stages.operators.embedded_document import EmbeddedDocument
    from atlas_rag.stages.operators.equals import Equals
    from atlas_rag.stages.operators.exists import Exists
    from atlas_rag.stages.operators.facet import DateFacet, Facet, NumberFacet, RawFacet, StringFacet
    from atlas_rag.stages.operators.function import (
        Add,
        Expression,
        FieldValue,
        Gauss,
        Log,
        Log1p,
        Multiply,
        Number,
        Relevance,
    )
    from atlas_rag.stages.operators.geo_shape import GeoShape
    from atlas_rag.stages.operators.geo_within import Box, Circle, GeoWithin
    from atlas_rag.stages.operators.geometry import (
        Geometry,
        GeometryCollection,
        LineString,
        MultiLineString,
        MultiPoint,
        MultiPolygon,
        Point,
        Polygon,
    )
    from atlas_rag.stages.operators.has_ancestor import HasAncestor
    from atlas_rag.stages.operators.has_root import HasRoot
    from atlas_rag.stages.operators.in_ import In
    from atlas_rag.stages.operators.more_like_this import MoreLikeThis
    from atlas_rag.stages.operators.near import Near
    from atlas_rag.stages.operators.operator import Compound, FilterOperator, Operator, RawOperator
    from atlas_rag.stages.operators.paths import MultiPath, WildcardPath
    from atlas_rag.stages.operators.phrase import Phrase
    from atlas_rag.stages.operators.query_string import QueryString
    from atlas_rag.stages.operators.range_ import Range
    from atlas_rag.stages.operators.regex import Regex
    from atlas_rag.stages.operators.score import Boost, Constant, Dismax, Embedded, Function, RawScore
    from atlas_rag.stages.operators.text import Text
    from atlas_rag.stages.operators.vector_search import VectorSearchOperator
    from atlas_rag.stages.operators.wildcard import Wildcard
    from atlas_rag.stages.pipeline import Pipeline, read_pipeline
    from atlas_rag.stages.plain import (
        Group,
        Limit,
        Match,
        Project,
        ReplaceWith,
        SetFields,
        SetWindowFields,
        Skip,
        Sort,
        UnionWith,
        Unset,
    )
    from atlas_rag.stages.rank_fusion import RankFusion
    from atlas_rag.stages.rerank import Rerank
    from atlas_rag.stages.score_fusion import ScoreFusion
    from atlas_rag.stages.score_stage import ScoreStage
    from atlas_rag.stages.search import Search
    from atlas_rag.stages.search_meta import SearchMeta
    from atlas_rag.stages.search_options import (
        Count,
        Highlight,
        NodePreference,
        ReturnScope,
        SortBy,
        SortByScore,
        Tracking,
    )
    from atlas_rag.stages.stage import RawStage, Stage
    from atlas_rag.stages.vector import Vector, as_vector
    from atlas_rag.stages.vector_query import ExplainOptions, NestedOptions
    from atlas_rag.stages.vector_search import VectorSearch

__all__ = [
    "SEARCH_META",
    "Add",
    "ArrayVector",
    "Autocomplete",
    "Boost",
    "Box",
    "Circle",
    "Compound",
    "Constant",
    "Count",
    "DateFacet",
    "Dismax",
    "Embedded",
    "EmbeddedDocument",
    "Equals",
    "Exists",
    "ExplainOptions",
    "Expression",
    "Facet",
    "FieldValue",
    "FilterOperator",
    "Function",
    "Fuzzy",
    "Gauss",
    "GeoShape",
    "GeoWithin",
    "Geometry",
    "GeometryCollection",
    "Group",
    "HasAncestor",
    "HasRoot",
    "Highlight",
    "In",
    "Limit",
    "LineString",
    "ListSearchIndexes",
    "Log",
    "Log1p",
    "Match",
    "Meta",
    "MoreLikeThis",
    "MultiLineString",
    "MultiPath",
    "MultiPoint",
    "MultiPolygon",
    "Multiply",
    "Near",
    "NestedOptions",
    "NodePreference",
    "Number",
    "NumberFacet",
    "Operator",
    "Phrase",
    "Pipeline",
    "Point",
    "Polygon",
    "Project",
    "QueryString",
    "Range",
    "RankFusion",
    "RawFacet",
    "RawOperator",
    "RawScore",
    "RawStage",
    "Regex",
    "Relevance",
    "ReplaceWith",
    "Rerank",
    "ReturnScope",
    "ScoreFusion",
    "ScoreStage",
    "Search",
    "SearchMeta",
    "SetFields",
    "SetWindowFields",
    "Skip",
    "Sort",
    "SortBy",
    "SortByScore",
    "Stage",
    "StringFacet",
    "Text",
    "Tracking",
    "UnionWith",
    "Unset",
    "Vector",
    "VectorSearch",
    "VectorSearchOperator",
    "Wildcard",
    "WildcardPath",
    "as_vector",
    "read_pipeline",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "array_vector": ("ArrayVector",),
        "list_search_indexes": ("ListSearchIndexes",),
        "meta": (
            "SEARCH_META",
            "Meta",
        ),
        "operators.autocomplete": ("Autocomplete",),
        "operators.common": ("Fuzzy",),
        "operators.embedded_document": ("EmbeddedDocument",),
        "operators.equals": ("Equals",),
        "operators.exists": ("Exists",),
        "operators.facet": (
            "DateFacet",
            "Facet",
            "NumberFacet",
            "RawFacet",
            "StringFacet",
        ),
        "operators.function": (
            "Add",
            "Expression",
            "FieldValue",
            "Gauss",
            "Log",
            "Log1p",
            "Multiply",
            "Number",
            "Relevance",
        ),
        "operators.geo_shape": ("GeoShape",),
        "operators.geo_within": (
            "Box",
            "Circle",
            "GeoWithin",
        ),
        "operators.geometry": (
            "Geometry",
            "GeometryCollection",
            "LineString",
            "MultiLineString",
            "MultiPoint",
            "MultiPolygon",
            "Point",
            "Polygon",
        ),
        "operators.has_ancestor": ("HasAncestor",),
        "operators.has_root": ("HasRoot",),
        "operators.in_": ("In",),
        "operators.more_like_this": ("MoreLikeThis",),
        "operators.near": ("Near",),
        "operators.operator": (
            "Compound",
            "FilterOperator",
            "Operator",
            "RawOperator",
        ),
        "operators.paths": (
            "MultiPath",
            "WildcardPath",
        ),
        "operators.phrase": ("Phrase",),
        "operators.query_string": ("QueryString",),
        "operators.range_": ("Range",),
        "operators.regex": ("Regex",),
        "operators.score": (
            "Boost",
            "Constant",
            "Dismax",
            "Embedded",
            "Function",
            "RawScore",
        ),
        "operators.text": ("Text",),
        "operators.vector_search": ("VectorSearchOperator",),
        "operators.wildcard": ("Wildcard",),
        "pipeline": (
            "Pipeline",
            "read_pipeline",
        ),
        "plain": (
            "Group",
            "Limit",
            "Match",
            "Project",
            "ReplaceWith",
            "SetFields",
            "SetWindowFields",
            "Skip",
            "Sort",
            "UnionWith",
            "Unset",
        ),
        "rank_fusion": ("RankFusion",),
        "rerank": ("Rerank",),
        "score_fusion": ("ScoreFusion",),
        "score_stage": ("ScoreStage",),
        "search": ("Search",),
        "search_meta": ("SearchMeta",),
        "search_options": (
            "Count",
            "Highlight",
            "NodePreference",
            "ReturnScope",
            "SortBy",
            "SortByScore",
            "Tracking",
        ),
        "stage": (
            "RawStage",
            "Stage",
        ),
        "vector": (
            "Vector",
            "as_vector",
        ),
        "vector_query": (
            "ExplainOptions",
            "NestedOptions",
        ),
        "vector_search": ("VectorSearch",),
    },
)
