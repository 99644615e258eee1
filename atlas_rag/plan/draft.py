"""A plan in the making: each rule decides one thing and writes it down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from atlas_rag.errors import AtlasRagError
from atlas_rag.plan.fusion import Fusion
from atlas_rag.plan.inputs import Input, InputFilter
from atlas_rag.plan.note import Cause, Note
from atlas_rag.plan.window import Window
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.threshold import ScoreKind

if TYPE_CHECKING:
    from atlas_rag.capability.report import CapabilityReport
    from atlas_rag.query.request import NativeReranker, Request


class Route(StrEnum):
    """Where and how input pipelines become one ranking."""

    SINGLE = "single"
    """One input pipeline; nothing to fuse."""
    NATIVE = "native"
    """The fusion stage on the server."""
    EMULATED = "emulated"
    """One aggregation with the same arithmetic."""
    CLIENT = "client"
    """One request per input pipeline, fused here with the same arithmetic."""
    NONE = "none"
    """No request: nothing can match."""


DEFAULT_ROUTES: tuple[Route, ...] = (Route.NATIVE, Route.EMULATED, Route.CLIENT)


@dataclass(frozen=True, slots=True)
class Reranking:
    """Who gives the final order, as far as planning cares.

    Args:
        by: nobody, a reranker of this library, or the deployment's own.
        id: of the reranker. most: texts it takes at once, or None where it has no limit.
        native: the deployment's own.
    """

    by: Literal["nobody", "library", "deployment"] = "nobody"
    id: str = ""
    most: int | None = None
    native: NativeReranker | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What planning knows of a retriever: the same for all its calls.

    Args:
        inputs: its input pipelines. routes: allowed ways to fuse, in order of preference.
        fusion: how lists become one. reranking: who gives the final order.
        reads: paths of a document that a reranker of this library reads.
    """

    inputs: tuple[Input, ...]
    routes: tuple[Route, ...] = DEFAULT_ROUTES
    fusion: Fusion = field(default_factory=Fusion)
    reranking: Reranking = field(default_factory=Reranking)
    reads: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """What is given, then what the rules decided, in their order."""

    request: Request
    setting: Setting
    report: CapabilityReport
    reranking: Reranking = field(default_factory=Reranking)
    """Who reranks this call."""
    mode: Mode = Mode.HYBRID
    mode_reason: str = ""
    chosen: tuple[Input, ...] = ()
    """Those that run, in name order."""
    keywords: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What each keyword input that runs looks for, by name."""
    belt: Filter | Literal["everything", "nothing"] = "everything"
    """Store filter, query filter and postfilter, said once more behind each search."""
    filters: Mapping[str, InputFilter] = field(default_factory=dict)
    window: Window = field(default_factory=Window)
    vectors_at: str = ""
    """Path of the stored vectors by which hits are told apart; empty where none are asked for."""
    projection: tuple[str, ...] | None = None
    """Paths of documents that come back beside `_id`; None for all."""
    weights: Mapping[str, float] | None = None
    thresholds: Mapping[ScoreKind, float] = field(default_factory=dict)
    """What a final score must reach, by kind."""
    floors: Mapping[ScoreKind, float] = field(default_factory=dict)
    """What a score of an input pipeline must reach before anything is fused or reranked, by kind."""
    depth: int = 0
    num_candidates: int = 0
    route: Route = Route.NONE
    route_reason: str = ""
    notes: list[Note] = field(default_factory=list)

    @property
    def fuses(self) -> bool:
        """Whether there is more than one list to fuse."""
        return len(self.chosen) > 1

    @property
    def retrieval_kind(self) -> ScoreKind:
        """What a score measures before any reranker."""
        return self.setting.fusion.kind if self.fuses else self.chosen[0].kind

    def note(self, cause: Cause, text: str, about: str = "") -> None:
        """Writes down that something goes otherwise than asked, once."""
        note = Note(cause, text, about)
        if note not in self.notes:
            self.notes.append(note)

    def each_input(self, check: Callable[[Input], None]) -> None:
        """Checks every input pipeline that runs; where the options say so, one that fails is left out.

        Raises:
            AtlasRagError: what the check raised, by policy, or because no input pipeline is left.
        """
        failed: list[tuple[Input, AtlasRagError]] = []
        for one in self.chosen:
            try:
                check(one)
            except AtlasRagError as error:
                if self.request.options.on_input_failure == "refuse":
                    raise
                failed.append((one, error))
        if failed and len(failed) == len(self.chosen):
            raise failed[0][1]
        for one, cause in failed:
            self.leave_out(one, left_out(one.name, cause))

    def leave_out(self, source: Input, why: Note) -> None:
        """Goes on without an input pipeline; what is left may be of one mode only."""
        self.notes.append(why)
        self.chosen = tuple(one for one in self.chosen if one is not source)
        modes = {one.mode for one in self.chosen}
        if self.mode is Mode.HYBRID and len(modes) == 1:
            self.mode, self.mode_reason = modes.pop(), why.text


def left_out(name: str, error: BaseException) -> Note:
    """The note on an input pipeline that failed and was left out."""
    why = f"{int(error.code)}" if isinstance(error, AtlasRagError) else type(error).__name__
    text = f"the input pipeline {name!r} failed and was left out: {why}"
    return Note(Cause.INPUT_FAILED, text, name)
