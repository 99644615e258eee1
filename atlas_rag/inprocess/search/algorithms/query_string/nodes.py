"""What a query string parses to, and how its clauses take part.

Texts are as written, without escapes and not analysed: what a node means is left to the reader of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

Occur: TypeAlias = Literal["must", "should", "mustNot"]
_Query = TypeVar("_Query")


@dataclass(frozen=True, slots=True)
class Words:
    """Text to analyse for a field. With `spread`, single terms it analyses to join the enclosing group."""

    field: str
    text: str
    spread: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Quoted text; a phrase where it analyses to several positions."""

    field: str
    text: str
    slop: int = 0


@dataclass(frozen=True, slots=True)
class Prefix:
    """Terms that begin with the normalised text."""

    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Terms that match a pattern of `*` and `?`, whose escapes are kept."""

    field: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Regexp:
    """Terms that match a regular expression."""

    field: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Terms near the normalised text; `similarity` is edits, or below 1 a share of the text's length."""

    field: str
    text: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Range:
    """Terms between two normalised texts; None is open."""

    field: str
    low: str | None
    high: str | None
    include_low: bool
    include_high: bool


@dataclass(frozen=True, slots=True)
class Everything:
    """`*:*`."""


@dataclass(frozen=True, slots=True)
class Boosted:
    """Scores multiplied."""

    node: Node
    boost: float


@dataclass(frozen=True, slots=True)
class Clause:
    """One member of a group, with the operator before it and its sign."""

    conjunction: Literal["", "AND", "OR"]
    modifier: Literal["", "+", "-"]
    node: Node


@dataclass(frozen=True, slots=True)
class Group:
    """Clauses in order; see `occurrences`."""

    clauses: tuple[Clause, ...]


Node: TypeAlias = Words | Phrase | Prefix | Wildcard | Regexp | Fuzzy | Range | Everything | Boosted | Group


def occurrences(group: Group, queries: Sequence[_Query | None]) -> list[tuple[Occur, _Query]]:
    """How each clause's query takes part, given what the clauses were made into.

    Args:
        group: the clauses.
        queries: one per clause; None where analysis left nothing of it, which still counts as a neighbour
            of an `AND`.
    """
    joined: list[tuple[Occur, _Query]] = []
    for clause, query in zip(group.clauses, queries, strict=True):
        if clause.conjunction == "AND" and joined and joined[-1][0] != "mustNot":
            joined[-1] = ("must", joined[-1][1])
        if query is None:
            continue
        if clause.modifier == "-":
            joined.append(("mustNot", query))
        elif clause.modifier == "+" or clause.conjunction == "AND":
            joined.append(("must", query))
        else:
            joined.append(("should", query))
    return joined


def edits_of(similarity: float, length: int) -> int:
    """Greatest edits (0..2) that a similarity allows in a term of `length` code points.

    Source: Lucene's FuzzyQuery.floatToEdits.
    """
    if similarity >= 1:
        return int(min(similarity, 2))
    return min(int((1 - similarity) * length), 2) if similarity else 0
