"""What went otherwise than asked: said in evidence, in logging, and in the reason of an empty result."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Cause(StrEnum):
    """The kinds of degradation; logging says each at most once a minute."""

    MODE_FALLBACK = "mode_fallback"
    INPUT_SILENT = "input_silent"
    INPUT_FAILED = "input_failed"
    FILTER_AFTER_SEARCH = "filter_after_search"
    FILTER_UNCHECKED = "filter_unchecked"
    POSTFILTER_SHORTFALL = "postfilter_shortfall"
    COLLAPSE_SHORTFALL = "collapse_shortfall"
    BESIDE_IDLE = "beside_idle"
    LIFT_IMPAIRED = "lift_impaired"
    DIVERSITY_IMPAIRED = "diversity_impaired"
    QUESTION_CUT = "question_cut"
    RERANKER_LEFT_OUT = "reranker_left_out"
    SCORES_SUSPICIOUS = "scores_suspicious"
    THRESHOLD_IDLE = "threshold_idle"
    TEXT_UNMAPPED = "text_unmapped"
    WEIGHTS_IDLE = "weights_idle"
    REPORT_STALE = "report_stale"


class Note(NamedTuple):
    """One degradation.

    Args:
        cause: its kind. text: one sentence without a word of the question or a document.
        about: what it happened to, such as an input pipeline's name.
    """

    cause: Cause
    text: str
    about: str = ""
