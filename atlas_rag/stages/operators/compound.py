"""`compound`: clauses that must, should, must not match, or only filter."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.operator import Operator, read_operators
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, invalid, spelled_class


def _clauses(value: Any, name: str) -> None:
    if not isinstance(value, tuple) or not all(hasattr(clause, "to_operator") for clause in value):
        raise invalid(f"{name} is not a tuple of operators", "a tuple of operators")


Clauses: TypeAlias = Annotated[tuple[Operator, ...] | None, _clauses, Read(read_operators)]


@spelled_class
class Compound(Operator):
    """Combines operators. The score is the sum over `must` and the matching `should` clauses.

    Args:
        must: every clause must match and adds its score.
        filter: every clause must match, without a score.
        should: each matching clause adds its score; without must and filter at least one must match.
        must_not: no clause may match.
        minimum_should_match: how many `should` clauses must match, 0…their number; default 0.
        score: boost or replace the sum.
    """

    label: ClassVar[str] = "compound"

    must: Clauses = None
    filter: Clauses = None
    should: Clauses = None
    must_not: Clauses = None
    minimum_should_match: Annotated[int | None, checks.integer(0)] = None
    score: ScoreField = None

    def validate(self) -> None:
        if not any((self.must, self.filter, self.should, self.must_not)):
            raise invalid("compound has no clause", "at least one of must, filter, should, must_not")
        if self.minimum_should_match is not None:
            if self.should is None:
                raise invalid("compound has minimumShouldMatch without should", "should clauses beside it")
            if self.minimum_should_match > len(self.should):
                raise invalid(
                    f"compound.minimumShouldMatch is {self.minimum_should_match} of {len(self.should)}",
                    "at most the number of should clauses",
                )

    def spell(self) -> dict[str, Any]:
        document: dict[str, Any] = {}
        for name, clauses in (
            ("must", self.must),
            ("filter", self.filter),
            ("should", self.should),
            ("mustNot", self.must_not),
        ):
            if clauses is not None:
                document[name] = [clause.to_operator() for clause in clauses]
        if self.minimum_should_match is not None:
            document["minimumShouldMatch"] = self.minimum_should_match
        if self.score is not None:
            document["score"] = self.score.spell()
        return document
