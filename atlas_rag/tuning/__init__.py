"""Which weights? Judgments, collection, exact optimum, honest selection, report.

data/        queries, judgments, collected runs
collect/     asks an engine once per input pipeline
problem/     re-fuses what was collected with the arithmetic of the server, at thousands of weightings
measures/    nDCG, RR, recall, P, hit, AP at a cutoff or uncut
optimum/     exact sweep of a line, line ascent, branch-and-bound certificate
statistics/  paired tests, intervals, detectable difference
selection/   the best guess, nested cross-validation; says when to keep equal weights or one pipeline
diagnosis/   winners and losers, unreachable documents, coverage, gate, score thresholds
report/      weights.json, TREC runs, per-query table, one self-contained HTML file
experiment/  the whole, from a TOML file
procedure    `tune`: optimum, selection and diagnosis in one call

Names load when they are first used, and numpy with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.tuning.data import ExperimentQuery, Judgments, QuerySet, Runs
    from atlas_rag.tuning.experiment import Experiment, compare_runs, run_experiment
    from atlas_rag.tuning.problem import FusionProblem
    from atlas_rag.tuning.procedure import Tuning, tune
    from atlas_rag.tuning.report import write_report
    from atlas_rag.tuning.settings import Settings

__all__ = [
    "Experiment",
    "ExperimentQuery",
    "FusionProblem",
    "Judgments",
    "QuerySet",
    "Runs",
    "Settings",
    "Tuning",
    "compare_runs",
    "run_experiment",
    "tune",
    "write_report",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "experiment": (
            "Experiment",
            "compare_runs",
            "run_experiment",
        ),
        "data": (
            "ExperimentQuery",
            "Judgments",
            "QuerySet",
            "Runs",
        ),
        "problem": ("FusionProblem",),
        "settings": ("Settings",),
        "procedure": (
            "Tuning",
            "tune",
        ),
        "report": ("write_report",),
    },
)
