"""A pipeline: stages in order, and the rules about who may stand where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.stages.spelling import WireModel
from atlas_rag.stages.stage import RawStage, Stage, read_stage

FIRST_ONLY = {
    "$search": 40602,
    "$searchMeta": 40602,
    "$vectorSearch": 40602,
    "$rankFusion": 10170100,
    "$scoreFusion": 10170100,
    "$listSearchIndexes": 40602,
}
"""Stages that must come first, with the server's error code (observed on servers 6.0 to 8.2)."""

MAX_STAGES = 1000
_NAME = attrgetter("name")


class Pipeline:
    """An immutable sequence of stages that knows positions.

    `names` holds the stages' names on the wire, in order.

    Raises:
        CallError: INVALID_PIPELINE where a stage stands where the server would refuse it.
    """

    __slots__ = ("names", "stages")

    def __init__(self, stages: Iterable[Stage] = ()) -> None:
        self.stages: tuple[Stage, ...] = tuple(stages)
        try:
            self.names: tuple[str, ...] = tuple(map(_NAME, self.stages))
        except AttributeError:
            other = next(stage for stage in self.stages if not hasattr(stage, "name"))
            raise _invalid(f"A stage is a {type(other).__name__}", "a stage, or RawStage(document)") from None
        if not FIRST_ONLY.keys().isdisjoint(self.names[1:]):
            raise _misplaced(self.names)
        if len(self.names) > MAX_STAGES:
            raise _invalid(f"The pipeline has {len(self.names)} stages", f"at most {MAX_STAGES}")

    def __iter__(self) -> Iterator[Stage]:
        return iter(self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    def __add__(self, other: Pipeline | Iterable[Stage]) -> Pipeline:
        return Pipeline((*self.stages, *other))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pipeline) and self.stages == other.stages

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return f"Pipeline([{', '.join(map(repr, self.stages))}])"

    def to_list(self) -> list[dict[str, Any]]:
        """The pipeline as `aggregate` takes it."""
        return [stage.to_stage() for stage in self.stages]

    @property
    def raw(self) -> tuple[str, ...]:
        """Names of what this library passed through unread: stages, and operators and options inside them."""
        return tuple(name for stage in self.stages for name in _raw(stage))


def read_pipeline(stages: Sequence[Mapping[str, Any]]) -> Pipeline:
    """Reads what `Pipeline.to_list` writes; a stage that has no class of its own becomes a `RawStage`."""
    return Pipeline(read_stage(stage) for stage in stages)


def _raw(stage: Stage) -> Iterable[str]:
    if isinstance(stage, RawStage):
        return (stage.name,)
    return stage.raw_parts() if isinstance(stage, WireModel) else ()


def _misplaced(names: tuple[str, ...]) -> CallError:
    position, name = next(place for place in enumerate(names) if place[0] and place[1] in FIRST_ONLY)
    return _invalid(
        f"{name} stands at position {position}",
        f"{name} first in its pipeline (server code {FIRST_ONLY[name]})",
    )


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_PIPELINE)
