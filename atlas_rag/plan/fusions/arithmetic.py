"""What planning and execution ask of a fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from atlas_rag.capability.feature import Feature
from atlas_rag.fusion import FusedItem, RankedList
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.fusions.merging import Sources
from atlas_rag.stages import Pipeline, Stage


class Arithmetic(Protocol):
    """One fusion on its three routes; all give equal scores."""

    @property
    def stage(self) -> str:
        """Its name on the wire."""
        ...

    @property
    def needs(self) -> tuple[Feature, ...]:
        """Features of its native route."""
        ...

    def native(
        self, fusion: Fusion, pipelines: Mapping[str, Pipeline], weights: Mapping[str, float] | None
    ) -> Stage:
        """The stage on the server."""
        ...

    def emulated(
        self,
        fusion: Fusion,
        sources: Sources,
        weights: Mapping[str, float],
        collection: str,
        tail: Sequence[Stage],
    ) -> list[Stage]:
        """The same arithmetic in plain stages."""
        ...

    def here(
        self, fusion: Fusion, lists: Sequence[RankedList], weights: Mapping[str, float] | None, limit: int
    ) -> list[FusedItem]:
        """The same arithmetic in this process."""
        ...

    def obstacle_here(self, fusion: Fusion) -> str | None:
        """Why it cannot be computed in this process, or None if it can."""
        ...
