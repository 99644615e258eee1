"""Everything that may be chosen: each way to fuse at each weighting of one grid, as columns of one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.problem import FusionProblem
from atlas_rag.tuning.selection.surface import Surface

Ints = NDArray[np.intp]


@dataclass(frozen=True)
class Alternatives:
    """Surfaces over the same queries and the same grid of weightings; the first is what is in use now.

    A choice is a column: alternative number · weightings of the grid + number of the weighting.

    Args:
        surfaces: by name of the alternative, such as "rank" or "score:minMaxScaler".
    """

    surfaces: Mapping[str, Surface]

    @classmethod
    def of(cls, problems: Mapping[str, FusionProblem], *, seed: int = 0) -> Alternatives:
        """Evaluates the grid under every alternative."""
        return cls({name: Surface.of(problem, seed=seed) for name, problem in problems.items()})

    @cached_property
    def values(self) -> Floats:
        """The measure of each query (first axis) at each choice (second axis)."""
        return np.concatenate([surface.values for surface in self.surfaces.values()], axis=1)

    @property
    def first(self) -> Surface:
        """The surface of what is in use now."""
        return next(iter(self.surfaces.values()))

    @property
    def names(self) -> Sequence[str]:
        return list(self.surfaces)

    @property
    def equal(self) -> int:
        """Equal weights under what is in use now: the baseline of every claim."""
        return self.first.equal

    @cached_property
    def singles(self) -> dict[int, str]:
        """Column → words for it, for each input pipeline alone.

        A pipeline alone ranks by its own scores under every fusion: it is listed once for each list.
        """
        found: dict[int, str] = {}
        seen: dict[str, list[Floats]] = {}
        for name in self.names:
            for pipeline, place in self.surfaces[name].singles.items():
                column = self.column(name, place)
                own = self.values[:, column]
                if not any((own == other).all() for other in seen.get(pipeline, ())):
                    seen.setdefault(pipeline, []).append(own)
                    label = pipeline if name == self.names[0] else f"{pipeline} of {name}"
                    found[column] = label
        return found

    def column(self, name: str, place: int) -> int:
        """The choice of a weighting (its place in the grid) under an alternative."""
        return self.names.index(name) * len(self.first.weights) + place

    def alternative(self, column: int) -> str:
        """The name of the alternative of a choice."""
        return self.names[column // len(self.first.weights)]

    def weights(self, column: int) -> Floats:
        """The weighting of a choice, of sum 1."""
        chosen: Floats = self.first.weights[column % len(self.first.weights)]
        return chosen

    def is_single(self, column: int) -> bool:
        """Whether only one input pipeline has a weight."""
        return int((self.weights(column) > 0).sum()) == 1


def nearest(surface: Surface, weights: Floats) -> int:
    """The place in the grid nearest to a weighting of sum 1."""
    return int(((surface.weights - weights) ** 2).sum(axis=1).argmin())
