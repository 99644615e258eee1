"""Queries over spans: terms of one field, and how they stand to one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from atlas_rag.inprocess.search.algorithms import spans
from atlas_rag.inprocess.search.algorithms.spans import Span
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import (
    ONE,
    Floats,
    Query,
    Weight,
)
from atlas_rag.inprocess.search.search_index.queries.frequency import OccurrenceWeight
from atlas_rag.inprocess.search.search_index.storage.runs import Ints

Positions = Mapping[str, Sequence[int]]
"""Where each term stands in one document."""


class SpanNode(Protocol):
    """A way to find spans in a document."""

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms whose rarity counts."""
        ...

    @property
    def needed(self) -> tuple[str, ...]:
        """The terms whose positions it reads."""
        ...

    def find(self, positions: Positions) -> list[Span]:
        """Returns the spans of a document, by start."""
        ...


@dataclass(frozen=True, slots=True)
class TermSpans:
    """The places of one term."""

    field: str
    term: str

    @property
    def terms(self) -> tuple[str, ...]:
        return (self.term,)

    @property
    def needed(self) -> tuple[str, ...]:
        return (self.term,)

    def find(self, positions: Positions) -> list[Span]:
        return spans.single(positions.get(self.term, ()))

    def __str__(self) -> str:
        return f"{self.field}:{self.term}"


@dataclass(frozen=True, slots=True)
class Several:
    """What several nodes have in common."""

    parts: tuple[SpanNode, ...]

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(term for part in self.parts for term in part.terms)

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(term for part in self.parts for term in part.needed)


@dataclass(frozen=True, slots=True)
class Either(Several):
    """The spans of any part."""

    def find(self, positions: Positions) -> list[Span]:
        return spans.either([part.find(positions) for part in self.parts])

    def __str__(self) -> str:
        return f"spanOr([{', '.join(map(str, self.parts))}])"


@dataclass(frozen=True, slots=True)
class Near(Several):
    """One span of each part, close together."""

    slop: int
    in_order: bool

    def find(self, positions: Positions) -> list[Span]:
        parts = [part.find(positions) for part in self.parts]
        if self.in_order:
            return spans.near_in_order(parts, self.slop)
        return spans.near_in_any_order(parts, self.slop)

    def __str__(self) -> str:
        parts = ", ".join(map(str, self.parts))
        return f"spanNear([{parts}], {self.slop}, {str(self.in_order).lower()})"


@dataclass(frozen=True, slots=True)
class EndingBy:
    """The spans of a node that end at or before a position."""

    part: SpanNode
    position: int

    @property
    def terms(self) -> tuple[str, ...]:
        return self.part.terms

    @property
    def needed(self) -> tuple[str, ...]:
        return self.part.needed

    def find(self, positions: Positions) -> list[Span]:
        return spans.ending_by(self.part.find(positions), self.position)

    def __str__(self) -> str:
        return f"spanFirst({self.part}, {self.position})"


@dataclass(frozen=True, slots=True)
class ApartFrom:
    """The spans of one node that overlap none of another, whose terms do not count."""

    included: SpanNode
    excluded: SpanNode

    @property
    def terms(self) -> tuple[str, ...]:
        return self.included.terms

    @property
    def needed(self) -> tuple[str, ...]:
        return (*self.included.needed, *self.excluded.needed)

    def find(self, positions: Positions) -> list[Span]:
        return spans.apart_from(self.included.find(positions), self.excluded.find(positions))

    def __str__(self) -> str:
        return f"spanNot({self.included}, {self.excluded}, 0, 0)"


@dataclass(frozen=True, slots=True)
class Containing(Several):
    """The outer spans of the first part, or the inner ones of the second."""

    outer: bool

    def find(self, positions: Positions) -> list[Span]:
        big, little = (part.find(positions) for part in self.parts)
        return spans.containing(big, little) if self.outer else spans.contained(big, little)

    def __str__(self) -> str:
        return f"Span{'Containing' if self.outer else 'Within'}({self.parts[0]}, {self.parts[1]})"


@dataclass(frozen=True, slots=True)
class Spans(Query):
    """Documents with a span; each counts 1 / (1 + its width), all terms add their rarity."""

    field: str
    root: SpanNode

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms that count."""
        return self.root.terms

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return _SpansWeight(self, partition, boost)

    def __str__(self) -> str:
        return str(self.root)


class _SpansWeight(OccurrenceWeight):
    query: Spans

    def __init__(self, query: Spans, partition: Partition, boost: np.float32) -> None:
        super().__init__(query, partition, boost, query.field)

    @property
    def _terms(self) -> Iterable[str]:
        return sorted(set(self.query.root.terms))

    def _count(self) -> tuple[Ints, Floats]:
        found: dict[int, np.float32] = {}
        where = self.partition.positions(self.query.field, set(self.query.root.needed))
        for doc, positions in sorted(where.items()):
            total = np.float32(0)
            for span in self.query.root.find(positions):
                total += ONE / np.float32(1 + span.width)
            if total:
                found[doc] = total
        return np.array(list(found), np.int32), np.array(list(found.values()), np.float32)
