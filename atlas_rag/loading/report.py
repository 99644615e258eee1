"""What became of the items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from atlas_rag.providers.usage import Usage

Stage = Literal["read", "embed", "size", "write"]


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """One item that was not loaded; all others were.

    Args:
        position: in the input, from 0. id: or None where it is not known. stage: where it failed.
    """

    position: int
    id: Any
    stage: Stage
    problem: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON; the id as text."""
        return {
            "position": self.position,
            "id": None if self.id is None else str(self.id),
            "stage": self.stage,
            "problem": self.problem,
        }


@dataclass(frozen=True, slots=True)
class Loading:
    """Progress: items so far."""

    read: int
    written: int
    unchanged: int
    failed: int


ProgressCallback = Callable[[Loading], None]


@dataclass(slots=True)
class LoadReport:
    """The result.

    Args:
        read: items of the input, resumed ones included.
        resumed: passed over since a checkpoint vouches for them.
        written: new or changed. unchanged: there already, with the same content hash.
        embedded: texts that got a vector. usage: what the embedder's provider counted for them.
    """

    read: int = 0
    resumed: int = 0
    written: int = 0
    unchanged: int = 0
    embedded: int = 0
    usage: Usage = field(default_factory=Usage)
    failures: list[LoadFailure] = field(default_factory=list)

    def progress(self) -> Loading:
        """The counts now."""
        return Loading(self.read, self.written, self.unchanged + self.resumed, len(self.failures))

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        counts = ("read", "resumed", "written", "unchanged", "embedded")
        return {
            **{name: getattr(self, name) for name in counts},
            "usage": asdict(self.usage),
            "failures": [failure.to_dict() for failure in self.failures],
        }

    def __str__(self) -> str:
        lines = [
            f"{self.read} read: {self.written} written, {self.unchanged} unchanged, "
            f"{self.resumed} resumed, {len(self.failures)} failed"
        ]
        lines += [f"  {one.position} ({one.stage}): {one.problem}" for one in self.failures]
        return "\n".join(lines)
