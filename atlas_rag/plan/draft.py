"""A plan in the making: each rule decides one thing and writes it down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.plan.inputs import Input
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Mode, Request


class Route(StrEnum):
    """Where and how input pipelines become one ranking."""

    SINGLE = "single"
    """One input pipeline; nothing to fuse."""
    NATIVE = "native"
    """`$rankFusion` on the server."""
    EMULATED = "emulated"
    """One aggregation with the same arithmetic."""
    CLIENT = "client"
    """One request per input pipeline, fused here with the same arithmetic."""
    NONE = "none"
    """No request: nothing can match."""


@dataclass(slots=True)
class Draft:
    """What is given, then what the rules decided, in their order."""

    request: Request
    inputs: tuple[Input, ...]
    report: CapabilityReport
    routes: tuple[Route, ...] = (Route.NATIVE, Route.EMULATED, Route.CLIENT)
    mode: Mode = Mode.HYBRID
    mode_reason: str = ""
    chosen: tuple[Input, ...] = ()
    """Those that run, in name order."""
    condition: Filter | Literal["everything", "nothing"] = "everything"
    weights: Mapping[str, float] | None = None
    depth: int = 0
    num_candidates: int = 0
    route: Route = Route.NONE
    route_reason: str = ""

    def of(self, request: Request) -> Draft:
        """The same decisions, of another request; nothing that could be changed is shared."""
        return Draft(
            request,
            self.inputs,
            self.report,
            self.routes,
            self.mode,
            self.mode_reason,
            self.chosen,
            self.condition,
            None if self.weights is None else dict(self.weights),
            self.depth,
            self.num_candidates,
            self.route,
            self.route_reason,
        )
