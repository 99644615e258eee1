"""`&`, `|` and `~` on operators: the smallest compound that says it."""

from __future__ import annotations

from atlas_rag.stages.operators.compound import Compound, several
from atlas_rag.stages.operators.operator import Operator, nestable


def conjunction(left: Operator, right: Operator) -> Compound:
    """Both match. Conjunctions are joined clause by clause, so that chains stay flat.

    A compound that only has `must`, `filter` and `must_not` is a conjunction; one with a score of its own,
    with `should` or `does_not_affect` says more and becomes one clause.
    """
    first, second = _as_conjunction(left), _as_conjunction(right)
    return Compound(
        must=_joined(first.must, second.must),
        filter=_joined(first.filter, second.filter),
        must_not=_joined(first.must_not, second.must_not),
    )


def disjunction(left: Operator, right: Operator) -> Compound:
    """One at least matches; the scores of those that do add up."""
    return Compound(should=(*_alternatives(left), *_alternatives(right)))


def complement(operator: Operator) -> Operator:
    """Matches what `operator` does not, with a score of 0; twice the complement is the operator again."""
    nestable(operator, "~")
    if isinstance(operator, Compound) and _only(operator, "must_not"):
        refused = several(operator.must_not)
        return refused[0] if len(refused) == 1 else Compound(should=refused)
    return Compound(must_not=_alternatives(operator))


def _as_conjunction(operator: Operator) -> Compound:
    nestable(operator, "&")
    if isinstance(operator, Compound) and _only(operator, "must", "filter", "must_not"):
        return operator
    return Compound(must=(operator,))


def _alternatives(operator: Operator) -> tuple[Operator, ...]:
    nestable(operator, "|")
    if isinstance(operator, Compound) and _only(operator, "should"):
        return several(operator.should)
    return (operator,)


def _only(compound: Compound, *names: str) -> bool:
    """Whether a compound has clauses of these kinds and says nothing else."""
    others = {"must", "filter", "should", "must_not", "minimum_should_match", "does_not_affect", "score"}
    return all(getattr(compound, name) is None for name in others.difference(names))


def _joined(
    first: Operator | tuple[Operator, ...] | None, second: Operator | tuple[Operator, ...] | None
) -> tuple[Operator, ...] | None:
    return (*several(first), *several(second)) or None
