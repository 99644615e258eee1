"""Which weights are as good as the recommended ones: only those that an equivalence test shows."""

from __future__ import annotations

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.selection.verdict import MARGIN
from atlas_rag.tuning.statistics.selected import LEVEL, equivalence_p


def equivalent_range(
    surface: Surface, weights: Floats, *, margin: float = MARGIN
) -> tuple[float, float] | None:
    """The first weights of two whose means differ from the recommended one's by less than `margin`.

    Grid points are tested outwards from the recommended weight, at half the level in each direction, up to
    the first that fails: all of them together are then shown at the level (fixed-sequence testing).
    Source: Schuirmann 1987; Westfall and Krishen 2001.
    Returns:
        None for other than two input pipelines, a single query, or where no neighbour passes.
    """
    if len(weights) != 2 or len(surface.values) < 2:
        return None
    shares = surface.weights[:, 0]
    order = np.argsort(shares)
    reference = surface.problem.per_query(weights)[:, 0]
    start = int(np.searchsorted(shares[order], float(weights[0])))
    low = high = float(weights[0])
    for column in order[:start][::-1]:
        if equivalence_p(surface.values[:, column] - reference, margin) >= LEVEL / 2:
            break
        low = float(shares[column])
    for column in order[start:]:
        if equivalence_p(surface.values[:, column] - reference, margin) >= LEVEL / 2:
            break
        high = float(shares[column])
    return (low, high) if high > low else None
