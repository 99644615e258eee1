"""Measures of a ranking at a cutoff, as values with canonical names: `parse("nDCG@10")`."""

from atlas_rag.tuning.measures.average_precision import AveragePrecision
from atlas_rag.tuning.measures.base import GradeTable, Ideal, Measure
from atlas_rag.tuning.measures.counting import Hit, Precision, Recall
from atlas_rag.tuning.measures.custom import CustomMeasure
from atlas_rag.tuning.measures.ndcg import NDCG
from atlas_rag.tuning.measures.parse import parse
from atlas_rag.tuning.measures.reciprocal_rank import ReciprocalRank

__all__ = [
    "NDCG",
    "AveragePrecision",
    "CustomMeasure",
    "GradeTable",
    "Hit",
    "Ideal",
    "Measure",
    "Precision",
    "Recall",
    "ReciprocalRank",
    "parse",
]
