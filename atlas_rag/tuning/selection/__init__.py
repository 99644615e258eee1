"""Choosing weights honestly: rules, cross-validation, and the verdict."""

from atlas_rag.tuning.selection.cross_validation import CrossValidation, cross_validate
from atlas_rag.tuning.selection.learning_curve import LearningPoint, learning_curve
from atlas_rag.tuning.selection.rules import RULES, Rule
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.selection.verdict import Verdict, decide

__all__ = [
    "RULES",
    "CrossValidation",
    "LearningPoint",
    "Rule",
    "Surface",
    "Verdict",
    "cross_validate",
    "decide",
    "learning_curve",
]
