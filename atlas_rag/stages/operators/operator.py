"""What a `$search` operator is, and how operators combine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

from atlas_rag.stages.spelling import WireModel, invalid

if TYPE_CHECKING:
    from atlas_rag.stages.operators.compound import Compound

OPERATORS: dict[str, type[Operator]] = {}
"""Every operator class by its name on the wire."""

LEGACY = frozenset({"knnBeta", "search", "span", "term"})
"""Operators that old queries hold: read as `RawOperator`, not offered. Source: MongoDB documentation."""


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
            OPERATORS[cls.label] = cls

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
        from atlas_rag.stages.operators.paths import names_of

        return names_of(getattr(self, "path", ()))

    def __and__(self, other: Operator) -> Compound:
        from atlas_rag.stages.operators.compose import conjunction

        return conjunction(self, other)

    def __or__(self, other: Operator) -> Compound:
        from atlas_rag.stages.operators.compose import disjunction

        return disjunction(self, other)

    def __invert__(self) -> Operator:
        from atlas_rag.stages.operators.compose import complement

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
    if name not in OPERATORS:
        raise invalid(
            f"Unknown search operator {name!r}",
            f"one of {', '.join(sorted(OPERATORS))}",
            "RawOperator(document) passes newer syntax through",
        )
    return OPERATORS[name].from_operator(document)


def _is_operator(name: str) -> bool:
    return name in OPERATORS or name in LEGACY


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
