"""Re-fusing what was collected, for thousands of weightings, with the server's arithmetic."""

from atlas_rag.tuning.problem.problem import FusionProblem

__all__ = ["FusionProblem"]
