"""Populations of queries whose true gains are known, to try what a tuning claims about samples of them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.selection import Alternatives, Surface


@dataclass(frozen=True)
class Population:
    """The measure of many queries at every weighting; their means are the truth.

    Args:
        swap: whether a sample gives each query's two input pipelines to each other with probability 1/2: then
            neither is better in the long run, and equal weights cannot be beaten by leaning to one side.
    """

    surface: Surface
    swap: bool = False

    @property
    def truth(self) -> Floats:
        """The true mean at each weighting."""
        means = self.surface.values.mean(axis=0)
        return (means + means[::-1]) / 2 if self.swap else means

    def sample(self, queries: int, draw: np.random.Generator) -> Alternatives:
        """So many queries, drawn without replacement."""
        values = self.surface.values[draw.choice(len(self.surface.values), queries, replace=False)]
        if self.swap:
            swapped = draw.random(queries) < 0.5
            values = np.where(swapped[:, None], values[:, ::-1], values)
        return Alternatives({"rank": replace(self.surface, values=values)})

    def gain(self, weights: Floats) -> float:
        """The true gain of a weighting of the grid over equal weights."""
        place = int(((self.surface.weights - weights) ** 2).sum(axis=1).argmin())
        return float(self.truth[place] - self.truth[self.surface.equal])


@functools.cache
def made_up(strengths: tuple[float, float], queries: int = 3000, seed: int = 1) -> Population:
    """Two input pipelines that see relevance through noise; at strength 0 one sees nothing."""
    return Population(Surface.of(FusionProblem(*noisy(strengths, queries, seed))))


def swapped(problems: Sequence[FusionProblem]) -> Population:
    """Real runs of two input pipelines as a population in which these are exchangeable."""
    surfaces = [Surface.of(problem) for problem in problems]
    values = np.concatenate([surface.values for surface in surfaces])
    return Population(replace(surfaces[0], values=values), swap=True)


def noisy(
    strengths: Sequence[float], queries: int, seed: int, *, depth: int = 30, relevant: int = 4
) -> tuple[Runs, Judgments]:
    """Runs to a depth and judgments; how well a pipeline sees also differs from query to query."""
    draw = np.random.default_rng(seed)
    lists: dict[str, dict[str, list[tuple[str, float]]]] = {chr(97 + n): {} for n in range(len(strengths))}
    grades: dict[str, dict[str, float]] = {}
    size = 3 * depth
    for number in range(queries):
        truth = np.zeros(size)
        wanted = int(draw.integers(1, relevant + 1))
        truth[:wanted] = 1
        names = [f"{number}-{place}" for place in draw.permutation(size)]
        grades[f"q{number}"] = dict.fromkeys(names[:wanted], 1)
        topic = draw.normal(0, 0.6, len(strengths))
        for strength, name in zip(np.array(strengths) + topic, lists, strict=True):
            seen = truth * strength + draw.standard_normal(size)
            best = np.argsort(-seen)[:depth]
            lists[name][f"q{number}"] = [(names[place], float(seen[place])) for place in best]
    return Runs.of(lists), Judgments.of(grades)
