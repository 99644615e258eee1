"""When a weight shuts the documents that only another input pipeline found out of the first places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.fusion import gate_ratio, shuts_out
from atlas_rag.tuning.problem.problem import FusionProblem, Weights


@dataclass(frozen=True, slots=True)
class Gate:
    """Beyond `share` of both weights `heavier` alone decides which documents can be in the first places.

    Args:
        heavier, other: names of input pipelines.
        share: of the heavier one in the sum of both weights at which the gate closes; .534 for 10 places.
        closed: whether it is closed at the weights given: `other` then only votes on documents that the
            heavier pipeline also found, in every query for which that one returned as many as `places`.
        short: number of queries for which the heavier one returned fewer: there the gate stays open.
    """

    heavier: str
    other: str
    places: int
    share: float
    closed: bool
    short: int = 0


def gates(problem: FusionProblem, weights: Weights, places: int = 10) -> list[Gate]:
    """The gate between each two input pipelines under `$rankFusion`, for the first `places` places (≥ 1)."""
    (row,) = problem.weights(weights)
    ratio = gate_ratio(places)
    returned = {name: np.diff(problem.runs.lists[name].start) for name in problem.pipelines}
    found = []
    for one, weight in zip(problem.pipelines, row, strict=True):
        for other, less in zip(problem.pipelines, row, strict=True):
            if weight > less or (weight == less and one < other):
                closed = shuts_out(float(weight), float(less), places)
                short = int((returned[one] < places).sum())
                found.append(Gate(one, other, places, ratio / (1 + ratio), closed, short))
    return found
