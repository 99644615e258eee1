"""Made-up retrieval runs with ties, as good as a mediocre search engine."""

from __future__ import annotations

import numpy as np

from atlas_rag.tuning.data import Judgments, Runs


def synthetic(
    *, queries: int, depth: int, pipelines: int, seed: int, relevant: int = 6
) -> tuple[Runs, Judgments]:
    """Runs whose pipelines see the relevance of documents through different noise, and their judgments.

    About a third of the rows share their score with a neighbour, as short fields make BM25 do.
    """
    draw = np.random.default_rng(seed)
    lists: dict[str, dict[str, list[tuple[str, float]]]] = {chr(97 + n): {} for n in range(pipelines)}
    grades: dict[str, dict[str, float]] = {}
    size = max(2 * depth, 20)
    for number in range(queries):
        truth = np.zeros(size)
        truth[:relevant] = draw.integers(1, 4, relevant)
        names = [f"{number}-{place}" for place in draw.permutation(size)]
        grades[f"q{number}"] = {names[place]: int(truth[place]) for place in range(2 * relevant)}
        for strength, name in zip(draw.permuted(np.linspace(0.4, 0.9, pipelines)), lists, strict=True):
            seen = truth * strength + draw.standard_normal(size) + draw.standard_normal(size) * 0.3
            seen = np.round(seen, 2)
            best = np.argsort(-seen, kind="stable")[:depth]
            lists[name][f"q{number}"] = [(names[place], float(seen[place])) for place in best]
    return Runs.of(lists), Judgments.of(grades)
