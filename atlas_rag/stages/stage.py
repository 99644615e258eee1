"""What a stage is, and the escape for syntax newer than this library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar, Protocol, Self

from atlas_rag.stages.spelling import WireModel, invalid

_DEFINED: dict[str, type[Any]] = {}
"""The stages whose files have been imported, by name on the wire."""


@cache
def known_stages() -> Mapping[str, type[Any]]:
    """Every stage class by its name on the wire: each file beside this one, read when first asked for."""
    for one in iter_modules([str(Path(__file__).parent)]):
        if not one.ispkg:
            import_module(f"atlas_rag.stages.{one.name}")
    return dict(sorted(_DEFINED.items()))


def define(cls: type[Any]) -> None:
    """Notes the class of a stage, which then can be read."""
    _DEFINED[cls.label] = cls


class Stage(Protocol):
    """One aggregation stage: a frozen value with a plain dictionary form."""

    @property
    def name(self) -> str: ...
    def to_stage(self) -> dict[str, Any]: ...


class WireStage(WireModel):
    """A stage whose body is a document of options. `label` is its name on the wire."""

    label: ClassVar[str]
    name: ClassVar[str]
    """The same, for those who know it as a stage."""

    def __init_subclass__(cls) -> None:
        if "label" in vars(cls):
            cls.name = cls.label
            define(cls)

    def to_stage(self) -> dict[str, Any]:
        """The stage as a server reads it."""
        return {self.label: self.spell()}

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        """Reads the form that `to_stage` writes.

        Raises:
            CallError: INVALID_STAGE.
        """
        return cls.read(stage_body(stage, cls.label))


@dataclass(frozen=True, slots=True)
class RawStage:
    """A stage passed through as it is, for syntax newer than this library; plans show it as raw."""

    document: Mapping[str, Any]

    def __post_init__(self) -> None:
        if len(self.document) != 1 or not next(iter(self.document)).startswith("$"):
            raise invalid("A raw stage has not exactly one '$' key", "{'$stage': body}")

    @property
    def name(self) -> str:
        """The one key."""
        return next(iter(self.document))

    def to_stage(self) -> dict[str, Any]:
        """The document itself, copied at the top."""
        return dict(self.document)

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"RawStage({self.name})"


def stage_body(stage: Mapping[str, Any], label: str) -> Any:
    """The body of a one-key stage document of this name."""
    if not isinstance(stage, Mapping) or len(stage) != 1 or label not in stage:
        raise invalid(f"Not a {label} stage", f"{{'{label}': ...}}")
    return stage[label]


def read_stage(stage: Mapping[str, Any]) -> Stage:
    """Reads one stage document into its class, or into a `RawStage` where there is none."""
    if not isinstance(stage, Mapping) or len(stage) != 1:
        raise invalid("A stage is not a document with one key", "{'$stage': body}")
    owner = known_stages().get(next(iter(stage)))
    result: Stage = RawStage(stage) if owner is None else owner.from_stage(stage)
    return result
