"""The fusions, one file each: the stage on the server, the same arithmetic in plain stages, and here.

A new fusion is one file and its line in `FUSIONS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from atlas_rag.plan.fusions import rank, score
from atlas_rag.plan.fusions.arithmetic import Arithmetic
from atlas_rag.plan.fusions.merging import Sources

FUSIONS: Mapping[str, Arithmetic] = {"rank": rank.RankArithmetic(), "score": score.ScoreArithmetic()}
"""By `Fusion.method`."""

__all__ = ["FUSIONS", "Arithmetic", "Sources"]
