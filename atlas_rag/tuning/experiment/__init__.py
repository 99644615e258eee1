"""Experiments as files: what to load, ask, tune and expect."""

from atlas_rag.tuning.experiment.compare import RunComparison, compare_runs
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.outer import OuterResult, outer_sweep
from atlas_rag.tuning.experiment.run import ExperimentResult, run_experiment

__all__ = [
    "Experiment",
    "ExperimentResult",
    "OuterResult",
    "RunComparison",
    "compare_runs",
    "outer_sweep",
    "run_experiment",
]
