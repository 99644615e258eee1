"""What a `$search` operator is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from atlas_rag.stages.spelling import Spelled, invalid

OPERATORS: dict[str, type[Operator]] = {}
"""Every operator class by its name on the wire."""


class Operator(Spelled):
    """One operator: a frozen value with a plain dictionary form. `label` is its name on the wire."""

    __slots__ = ()
    label: ClassVar[str]

    def __init_subclass__(cls) -> None:
        # A slotted dataclass is made twice; the second class is the one that lives on.
        if "label" in cls.__dict__:
            OPERATORS[cls.label] = cls

    def to_operator(self) -> dict[str, Any]:
        """The operator as `$search` reads it."""
        return {self.label: self.spell()}

    @classmethod
    def from_operator(cls, document: Mapping[str, Any]) -> Self:
        """Reads the form that `to_operator` writes.

        Raises:
            CallError: INVALID_STAGE.
        """
        return cls.read(document[cls.label])


def read_operator(document: Mapping[str, Any]) -> Operator:
    """Reads whichever operator a one-key document holds."""
    if not isinstance(document, Mapping) or len(document) != 1:
        raise invalid("A clause has not exactly one operator", "{'text': {...}} or another operator")
    name = next(iter(document))
    if name not in OPERATORS:
        raise invalid(f"Unknown search operator {name!r}", f"one of {', '.join(sorted(OPERATORS))}")
    return OPERATORS[name].from_operator(document)


def read_operators(documents: Any) -> tuple[Operator, ...]:
    """Reads one clause or an array of clauses."""
    return tuple(read_operator(one) for one in (documents if isinstance(documents, list) else [documents]))


class RawOperator(Operator):
    """An operator passed through as it is: compiled filters, or syntax newer than this library."""

    __slots__ = ("document",)

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    def to_operator(self) -> dict[str, Any]:
        """The document itself, copied at the top."""
        return dict(self.document)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawOperator) and self.document == other.document

    def __hash__(self) -> int:
        return hash(tuple(self.document))

    def __repr__(self) -> str:
        return f"RawOperator({', '.join(self.document)})"
