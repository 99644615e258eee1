"""What a person needs to know before trusting a number."""

from atlas_rag.tuning.diagnosis.coverage import Coverage, coverage
from atlas_rag.tuning.diagnosis.gate import Gate, gates
from atlas_rag.tuning.diagnosis.per_query import QueryOutcome, outcomes
from atlas_rag.tuning.diagnosis.reach import Unreachable, unreachable
from atlas_rag.tuning.diagnosis.thresholds import Threshold, calibrate_threshold
from atlas_rag.tuning.diagnosis.warnings import warnings

__all__ = [
    "Coverage",
    "Gate",
    "QueryOutcome",
    "Threshold",
    "Unreachable",
    "calibrate_threshold",
    "coverage",
    "gates",
    "outcomes",
    "unreachable",
    "warnings",
]
