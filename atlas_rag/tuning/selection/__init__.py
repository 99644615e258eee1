"""Choosing weights honestly: rules, the best guess, nested cross-validation, and the verdict."""

from atlas_rag.tuning.selection.alternatives import Alternatives
from atlas_rag.tuning.selection.cross_validation import CrossValidation, cross_validate
from atlas_rag.tuning.selection.learning_curve import LearningPoint, learning_curve
from atlas_rag.tuning.selection.nested import BEST_SINGLE, GUESS, Nested, nest
from atlas_rag.tuning.selection.rules import RULES, Rule
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.selection.verdict import Choice, Verdict, decide

__all__ = [
    "BEST_SINGLE",
    "GUESS",
    "RULES",
    "Alternatives",
    "Choice",
    "CrossValidation",
    "LearningPoint",
    "Nested",
    "Rule",
    "Surface",
    "Verdict",
    "cross_validate",
    "decide",
    "learning_curve",
    "nest",
]
