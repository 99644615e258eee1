"""`compound`: clauses that must, should, must not match, or only filter."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import DoesNotAffect
from atlas_rag.stages.operators.operator import Operator, nestable, read_operators
from atlas_rag.stages.operators.score import CompoundScore, Dismax
from atlas_rag.stages.spelling import Read, invalid, spelled_class


def _clauses(value: Any, name: str) -> None:
    for clause in value if isinstance(value, tuple) else (value,):
        nestable(clause, name)


Clauses: TypeAlias = Annotated[Operator | tuple[Operator, ...] | None, _clauses, Read(read_operators)]


def several(clauses: Operator | tuple[Operator, ...] | None) -> tuple[Operator, ...]:
    """Clauses in one form: none, one or many as a tuple."""
    if clauses is None:
        return ()
    return clauses if isinstance(clauses, tuple) else (clauses,)


@spelled_class
class Compound(Operator):
    """Combines operators. The score is the sum over `must` and the matching `should` clauses.

    Args:
        must: every clause must match and adds its score.
        filter: every clause must match, without a score.
        should: each matching clause adds its score; without must and filter at least one must match.
        must_not: no clause may match; alone it matches everything else with a score of 0.
        minimum_should_match: how many `should` clauses must match, 0…their number; default 0.
        does_not_affect: names of facets whose counts ignore this compound (drill sideways).
        score: changes the sum; `Dismax` takes the best clause instead, with `should` clauses only.

    Source: MongoDB documentation, compound; Lucene's BooleanQuery and DisjunctionMaxQuery.
    """

    label: ClassVar[str] = "compound"

    must: Clauses = None
    filter: Clauses = None
    should: Clauses = None
    must_not: Clauses = None
    minimum_should_match: Annotated[int | None, checks.integer(0)] = None
    does_not_affect: DoesNotAffect = None
    score: CompoundScore = None

    def validate(self) -> None:
        if not any((self.must, self.filter, self.should, self.must_not)):
            raise invalid("compound has no clause", "at least one of must, filter, should, must_not")
        if self.minimum_should_match is not None:
            self._check_minimum(self.minimum_should_match)
        if isinstance(self.score, Dismax) and (
            self.should is None or not self.must is self.filter is self.must_not is None
        ):
            raise invalid("compound has a dismax score and other clauses", "should clauses only")

    def clauses(self) -> tuple[Operator, ...]:
        """Every clause of every kind."""
        found: tuple[Operator, ...] = ()
        for kind in (self.filter, self.must, self.must_not, self.should):
            if kind is not None:
                found += several(kind)
        return found

    def _check_minimum(self, minimum: int) -> None:
        if self.should is None:
            raise invalid("compound has minimumShouldMatch without should", "should clauses beside it")
        if minimum > len(several(self.should)):
            raise invalid(
                f"compound.minimumShouldMatch is {minimum} of {len(several(self.should))}",
                "at most the number of should clauses",
            )
