"""What an experiment starts from: queries, judgments, and the ranked lists that were collected."""

from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import ExperimentQuery, QuerySet
from atlas_rag.tuning.data.runs import RankedLists, Runs

__all__ = ["ExperimentQuery", "Judgments", "QuerySet", "RankedLists", "Runs"]
