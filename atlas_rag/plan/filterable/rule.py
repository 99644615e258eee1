"""Which conditions of a filter an index cannot decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from atlas_rag.capability import SearchIndex
from atlas_rag.plan.filterable import search_index, vector_index
from atlas_rag.plan.filterable.finding import Undecided
from atlas_rag.plan.filterable.levels import SEVERAL, is_child, mixed_levels
from atlas_rag.plan.filterable.mapping import UNREADABLE
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not, all_of
from atlas_rag.stages.filters import simplify

MOST_CONDITIONS = 512
"""Conditions that one search takes beside its words: half of the clauses that a query may have.

Source: Lucene's `IndexSearcher.getMaxClauseCount`, 1024.
"""

CROWDED = f"room for {MOST_CONDITIONS} conditions in one query; where_in counts as one"


@dataclass(frozen=True, slots=True)
class Division:
    """A filter by who decides it.

    Args:
        decided: the conditions that the index decides; None where it decides none.
        loose: what the index finds besides.
        left: each condition that it cannot decide, with the reason that helps most.
    """

    decided: Filter | None
    loose: tuple[Undecided, ...]
    left: tuple[tuple[Filter, Undecided], ...]


def undecided(
    condition: Filter, index: SearchIndex, *, vector_path: str | None = None
) -> tuple[Undecided, ...]:
    """The comparisons that this index cannot decide exactly as `Filter` means them, each once.

    Args:
        index: as the deployment lists it.
        vector_path: of the vector that is searched, where the index is of type "vectorSearch".
    """
    simple = simplify(condition)
    if isinstance(simple, str):
        return ()
    division = divide(simple, index, vector_path=vector_path)
    lines = {problem.path for part, problem in division.left if problem.line and not _asks_presence(part)}
    left = [
        problem
        for part, problem in division.left
        if not (_asks_presence(part) and problem.path in lines)  # any type decides presence
    ]
    return tuple(dict.fromkeys((*left, *division.loose)))


def divide(condition: Filter, index: SearchIndex, *, vector_path: str | None = None) -> Division:
    """The conditions of a simplified filter that the index decides, and those that it does not.

    Takes as long as the filter is, whatever it holds.
    """
    judge = _Judge(index, vector_path)
    decided: list[Filter] = []
    loose: list[Undecided] = []
    left: list[tuple[Filter, Undecided]] = []
    for part in condition.conjuncts():
        found = judge.problems(part)
        hard = [one for one in found if not one.loose]
        if hard:
            left += [(part, one) for one in hard]
        else:
            judge.take(part)
            decided.append(part)
            loose += found
    left.sort(key=lambda one: _asks_presence(one[0]))
    return Division(all_of(*decided) if decided else None, tuple(dict.fromkeys(loose)), tuple(left))


class _Judge:
    """One index, and what it has been asked to decide so far."""

    def __init__(self, index: SearchIndex, vector_path: str | None) -> None:
        self._index = index
        self._root = index.nested_root()
        self._searches_parts = (
            self._root is not None and vector_path is not None and vector_path.startswith(self._root + ".")
        )
        self._conditions = 0
        self._asks_parts = False

    def problems(self, part: Filter) -> list[Undecided]:
        """Why the index cannot decide this condition besides those that it has taken."""
        judge = vector_index.judge if self._index.type == "vectorSearch" else search_index.judge
        leaves = sorted(_leaves(part, negated=False), key=lambda one: _asks_presence(one[0]))
        problems: list[Undecided] = []
        for leaf, negated in leaves:
            if not (_asks_presence(leaf) and any(one.path == leaf.path and one.line for one in problems)):
                problems += judge(leaf, self._index.definition, negated=negated)
        if self._index.type == "vectorSearch":
            problems += self._levels(part)
        elif self._conditions + len(leaves) > MOST_CONDITIONS:
            problems.append(Undecided(leaves[0][0].path, CROWDED))
        return problems

    def take(self, part: Filter) -> None:
        """Notes a condition that the index is asked to decide."""
        self._conditions += sum(1 for _ in part.leaves())
        self._asks_parts = self._asks_parts or (self._searches_parts and is_child(part, self._root or ""))

    def _levels(self, part: Filter) -> list[Undecided]:
        if self._root is None:
            readable = self._index.definition.get("nestedRoot") is None
            return [] if readable else [Undecided(path, UNREADABLE) for path in sorted(part.paths())]
        inside = sorted(path for path in part.paths() if path.startswith(self._root + "."))
        if self._searches_parts:
            problems = list(mixed_levels(part, self._root))
            return (
                [Undecided(inside[0], SEVERAL)] if self._asks_parts and inside and not problems else problems
            )
        has = f"values inside {self._root!r} with its parts only, and the vector is not there"
        return [Undecided(path, has) for path in inside]


def _asks_presence(part: Filter) -> bool:
    return isinstance(part, Comparison) and (
        part.operator == "exists" or (part.operator == "eq" and part.value is None)
    )


def _leaves(condition: Filter, *, negated: bool) -> Iterator[tuple[Comparison, bool]]:
    """Every comparison, and whether it stands under an odd number of complements."""
    match condition:
        case Comparison():
            yield condition, negated
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _leaves(part, negated=negated)
        case Not(part):
            yield from _leaves(part, negated=not negated)
