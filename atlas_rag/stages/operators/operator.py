"""What a `$search` operator is, and `compound`, which `&`, `|` and `~` make of operators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Annotated, Any, ClassVar, Self, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import DoesNotAffect
from atlas_rag.stages.operators.paths import names_of
from atlas_rag.stages.operators.score import CompoundScore, Dismax
from atlas_rag.stages.spelling import Read, WireModel, invalid, spelled_class

LEGACY = frozenset({"knnBeta", "search", "span", "term"})
"""Operators that old queries hold: read as `RawOperator`, not offered. Source: MongoDB documentation."""


_DEFINED: dict[str, type[Operator]] = {}
"""The operators whose files have been imported, by name on the wire."""


@cache
def known_operators() -> Mapping[str, type[Operator]]:
    """Every operator class by its name on the wire: each file beside this one, read when first asked for."""
    for one in iter_modules([str(Path(__file__).parent)]):
        import_module(f"atlas_rag.stages.operators.{one.name}")
    return dict(sorted(_DEFINED.items()))


class Operator(WireModel):
    """One operator: a frozen value with a plain dictionary form. `label` is its name on the wire.

    `a & b`, `a | b` and `~a` make a `Compound` of `must`, `should` and `must_not`; chains of one kind stay
    flat, and compounds that say more than that are never opened.
    """

    label: ClassVar[str]
    nestable: ClassVar[bool] = True
    """Whether it may stand inside another operator."""

    def __init_subclass__(cls) -> None:
        if "label" in cls.__dict__:
            _DEFINED[cls.label] = cls

    def to_operator(self) -> dict[str, Any]:
        """The operator as `$search` reads it."""
        return {self.label: self.spell()}

    def nested(self) -> dict[str, Any]:
        return {self.label: self.spell()}

    @classmethod
    def from_operator(cls, document: Mapping[str, Any]) -> Self:
        """Reads the form that `to_operator` writes.

        Raises:
            CallError: INVALID_STAGE.
        """
        return cls.read(document[cls.label])

    def looks_at(self) -> Iterator[str]:
        """The field paths that this operator looks at itself, without those of operators inside it."""
        return names_of(getattr(self, "path", ()))

    def __and__(self, other: Operator) -> Compound:
        return conjunction(self, other)

    def __or__(self, other: Operator) -> Compound:
        return disjunction(self, other)

    def __invert__(self) -> Operator:
        return complement(self)


def nestable(value: Any, name: str) -> None:
    """An operator that may stand inside another."""
    if not isinstance(value, Operator):
        raise invalid(f"{name} is a {type(value).__name__}", "an operator")
    if not value.nestable:
        raise invalid(f"{name} is {value.label}", f"{value.label} at the top of $search only")


def read_operator(document: Mapping[str, Any]) -> Operator:
    """Reads whichever operator a one-key document holds; legacy ones are passed through as raw."""
    if not isinstance(document, Mapping):
        raise invalid(f"An operator is a {type(document).__name__}", "{'text': {...}} or another operator")
    names = [name for name, body in document.items() if body is not None or not _is_operator(name)]
    if len(names) != 1:
        raise invalid("A clause has not exactly one operator", "{'text': {...}} or another operator")
    (name,) = names
    if name in LEGACY:
        return RawOperator({name: document[name]})
    if name not in known_operators():
        raise invalid(
            f"Unknown search operator {name!r}",
            f"one of {', '.join(known_operators())}",
            "RawOperator(document) passes newer syntax through",
        )
    return known_operators()[name].from_operator(document)


def _is_operator(name: str) -> bool:
    return name in known_operators() or name in LEGACY


def read_operators(documents: Any) -> Operator | tuple[Operator, ...]:
    """Reads one clause or an array of clauses."""
    if isinstance(documents, list | tuple):
        return tuple(map(read_operator, documents))
    return read_operator(documents)


class RawOperator(Operator):
    """An operator passed through as it is, for syntax newer than this library; pipelines list it as raw."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    def to_operator(self) -> dict[str, Any]:
        """The document itself, copied at the top."""
        return dict(self.document)

    nested = to_operator

    def raw_parts(self) -> Iterator[str]:
        yield from self.document

    def looks_at(self) -> Iterator[str]:
        """Nothing is known of what it looks at."""
        return iter(())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawOperator) and self.document == other.document

    def __hash__(self) -> int:
        return hash(tuple(self.document))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.document)})"


class FilterOperator(RawOperator):
    """A clause that this library compiled a filter to; it is known, so it does not count as raw."""

    def raw_parts(self) -> Iterator[str]:
        return iter(())


# ------------------------------------------------------------------ compound


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


# ------------------------------------------------------------------ & | ~


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
