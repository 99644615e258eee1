"""The standard error of a mean over queries."""

from __future__ import annotations

import numpy as np

from atlas_rag.tuning.data.runs import Floats


def standard_error(values: Floats) -> Floats:
    """Standard error of the mean over the first axis (n - 1); 0 for a single query, which cannot show any.

    Of differences between two rankings of the same queries it is the paired standard error.
    """
    if len(values) < 2:
        return np.zeros(values.shape[1:])
    error: Floats = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return error
