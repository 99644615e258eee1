"""The best documents of all partitions, in the engine's order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atlas_rag.engines.local.text.queries.base import Matches


class Placed(NamedTuple):
    """One ranked document: its partition, its number there, its score."""

    partition: int
    doc: int
    score: float


def best_by_score(matches: list[Matches], limit: int | None) -> list[Placed]:
    """Ranks by score, highest first; of equal scores the earlier partition, then the earlier document."""
    if len(matches) == 1:
        docs, scores = matches[0]
        return [Placed(0, int(docs[at]), float(scores[at])) for at in top(scores, limit)]
    scores = np.concatenate([part.scores for part in matches])
    docs = np.concatenate([part.docs for part in matches])
    owners = np.repeat(np.arange(len(matches)), [len(part.docs) for part in matches])
    return [Placed(int(owners[at]), int(docs[at]), float(scores[at])) for at in top(scores, limit)]


def top(scores: NDArray[np.float32], limit: int | None) -> NDArray[np.int64]:
    """Returns the places of the highest scores in falling order, of equal ones the first."""
    count = len(scores)
    if limit is None or limit >= count:
        return np.argsort(-scores, kind="stable")
    if limit <= 0:
        return np.zeros(0, np.int64)
    lowest = np.partition(scores, count - limit)[count - limit]
    higher = np.flatnonzero(scores > lowest)
    ties = np.flatnonzero(scores == lowest)[: limit - len(higher)]
    chosen = np.sort(np.concatenate([higher, ties]))
    return chosen[np.argsort(-scores[chosen], kind="stable")]
