"""The plain aggregation stages that retrieval needs, as frozen values over a body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from atlas_rag.stages.spelling import DOCUMENT, invalid
from atlas_rag.stages.stage import define, stage_body


@dataclass(frozen=True, slots=True)
class PlainStage:
    """A stage whose body is passed through as it is. Subclasses name it and check what is cheap to check."""

    body: Any
    label: ClassVar[str] = ""
    name: ClassVar[str] = ""
    """The stage's name on the wire, which is its label."""

    def __init_subclass__(cls) -> None:
        cls.name = cls.label
        if cls.label:
            define(cls)

    def __post_init__(self) -> None:
        """Refuses a body that cannot be right; raises `CallError` INVALID_STAGE."""

    def to_stage(self) -> dict[str, Any]:
        """The stage as a server reads it."""
        return {self.label: self.body}

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        """Reads the form that `to_stage` writes."""
        return cls(stage_body(stage, cls.label))

    def __hash__(self) -> int:
        return hash(self.label)


class _Document(PlainStage):
    __slots__ = ()

    def __post_init__(self) -> None:
        if not isinstance(self.body, DOCUMENT):
            raise invalid(f"{self.label} is a {type(self.body).__name__}", "a document")


class _Count(PlainStage):
    __slots__ = ()
    least: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if isinstance(self.body, bool) or not isinstance(self.body, int) or self.body < self.least:
            raise invalid(f"{self.label} is {self.body!r}", f"an integer of at least {self.least}")


class Match(_Document):
    """`$match`: keeps the documents that fit an MQL condition."""

    label = "$match"


class Project(_Document):
    """`$project`: chooses and computes fields."""

    label = "$project"


class SetFields(_Document):
    """`$set`: adds or replaces fields."""

    label = "$set"


class Sort(_Document):
    """`$sort`: orders by fields or by `{$meta: …}`."""

    label = "$sort"


class Group(_Document):
    """`$group`: one document per key."""

    label = "$group"


class SetWindowFields(_Document):
    """`$setWindowFields`: ranks and running values over sorted documents; server 5.0."""

    label = "$setWindowFields"


class Limit(_Count):
    """`$limit`: at most this many documents, ≥ 1."""

    label = "$limit"
    least = 1


class Skip(_Count):
    """`$skip`: drops the first documents, ≥ 0."""

    label = "$skip"


class Unset(PlainStage):
    """`$unset`: drops fields by dotted path."""

    label = "$unset"


class ReplaceWith(PlainStage):
    """`$replaceWith`: puts an expression in place of the document."""

    label = "$replaceWith"


class UnionWith(_Document):
    """`$unionWith`: appends another pipeline's documents."""

    label = "$unionWith"
