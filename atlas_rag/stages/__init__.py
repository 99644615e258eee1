"""2 SPELL: one aggregation stage per file, frozen value to plain dict; the pipeline checks positions."""

from atlas_rag.stages.operators.compound import Compound
from atlas_rag.stages.operators.exact import Equals, Exists, In, Range
from atlas_rag.stages.operators.operator import Operator, RawOperator
from atlas_rag.stages.operators.paths import Multi, Wildcard
from atlas_rag.stages.operators.phrase import Phrase
from atlas_rag.stages.operators.score import Boost, Constant
from atlas_rag.stages.operators.text import Fuzzy, Text
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
from atlas_rag.stages.search import Search
from atlas_rag.stages.stage import RawStage, Stage
from atlas_rag.stages.vector import Vector, as_vector
from atlas_rag.stages.vector_search import VectorSearch

__all__ = [
    "Boost",
    "Compound",
    "Constant",
    "Equals",
    "Exists",
    "Fuzzy",
    "Group",
    "In",
    "Limit",
    "Match",
    "Multi",
    "Operator",
    "Phrase",
    "Pipeline",
    "Project",
    "Range",
    "RankFusion",
    "RawOperator",
    "RawStage",
    "ReplaceWith",
    "Search",
    "SetFields",
    "SetWindowFields",
    "Skip",
    "Sort",
    "Stage",
    "Text",
    "UnionWith",
    "Unset",
    "Vector",
    "VectorSearch",
    "Wildcard",
    "as_vector",
    "read_pipeline",
]
