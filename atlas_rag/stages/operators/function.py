"""Score expressions: arithmetic over relevance and number fields.

    Relevance() * Log1p(of=FieldValue(path="likes")) + Number(value=1)

Source: MongoDB documentation, score.function; logarithms are of base 10, as measured on the engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Read, WireModel, invalid, spelled_class


class Expression(WireModel):
    """Base of the expressions; `label` is the key on the wire. `+` and `*` join them, chains stay flat."""

    label: ClassVar[str]

    def spell(self) -> dict[str, Any]:
        return {self.label: self.content()}

    def content(self) -> Any:
        """What stands under the key."""
        return super().spell()

    @classmethod
    def from_content(cls, content: Any) -> Expression:
        """Reads what stands under the key."""
        return cls.read(content)

    def looks_at(self) -> Iterator[str]:
        """The field paths that it is computed from."""
        return iter(())

    def __add__(self, other: Expression | float) -> Add:
        return Add(of=(*_operands(self, Add), *_operands(other, Add)))

    def __mul__(self, other: Expression | float) -> Multiply:
        return Multiply(of=(*_operands(self, Multiply), *_operands(other, Multiply)))

    __radd__, __rmul__ = __add__, __mul__


def _operands(value: Expression | float, chain: type[Add | Multiply]) -> tuple[Expression, ...]:
    if isinstance(value, chain):
        return value.of
    return (value if isinstance(value, Expression) else Number(value=value),)


@spelled_class
class Number(Expression):
    """A finite number."""

    label: ClassVar[str] = "constant"

    value: Annotated[float, checks.real]

    def content(self) -> float:
        return self.value

    @classmethod
    def from_content(cls, content: Any) -> Expression:
        return cls(value=content)


@spelled_class
class Relevance(Expression):
    """The score of the operator's own search."""

    label: ClassVar[str] = "score"

    def content(self) -> str:
        return "relevance"

    @classmethod
    def from_content(cls, content: Any) -> Expression:
        if content != "relevance":
            raise invalid("A score expression is not 'relevance'", "relevance")
        return cls()


@spelled_class
class FieldValue(Expression):
    """The number stored at a path.

    Args:
        path: a `number` field; one value per document.
        undefined: what to take where there is no single number; default 0.
    """

    label: ClassVar[str] = "path"

    path: Annotated[str, checks.word]
    undefined: Annotated[float | None, checks.real] = None

    def content(self) -> Any:
        if self.undefined is None:
            return self.path
        return {"value": self.path, "undefined": self.undefined}

    @classmethod
    def from_content(cls, content: Any) -> FieldValue:
        if not isinstance(content, Mapping):
            return cls(path=content)
        if unknown := set(content) - {"value", "undefined"}:
            raise invalid(f"A path has unknown options {sorted(unknown)}", "value, undefined")
        return cls(path=content.get("value", ""), undefined=content.get("undefined"))

    def looks_at(self) -> Iterator[str]:
        yield self.path


def _arguments(value: Any, name: str) -> None:
    checks.each(checks.instance(Expression))(value, name)
    if len(value) < 2:
        raise invalid(f"{name} has one argument", "two or more")


class _Chain(Expression):
    of: tuple[Expression, ...]

    def content(self) -> list[Any]:
        return [argument.spell() for argument in self.of]

    @classmethod
    def from_content(cls, content: Any) -> Expression:
        if not isinstance(content, list):
            raise invalid(f"{cls.label} is a {type(content).__name__}", "an array of expressions")
        return cls(of=tuple(map(read_expression, content)))  # type: ignore[call-arg]  # its subclasses' field

    def looks_at(self) -> Iterator[str]:
        for argument in self.of:
            yield from argument.looks_at()


@spelled_class
class Add(_Chain):
    """A sum of two expressions or more."""

    label: ClassVar[str] = "add"

    of: Annotated[tuple[Expression, ...], _arguments]


@spelled_class
class Multiply(_Chain):
    """A product of two expressions or more."""

    label: ClassVar[str] = "multiply"

    of: Annotated[tuple[Expression, ...], _arguments]


class _Logarithm(Expression):
    of: Expression

    def content(self) -> Any:
        return self.of.spell()

    @classmethod
    def from_content(cls, content: Any) -> Expression:
        return cls(of=read_expression(content))  # type: ignore[call-arg]  # its subclasses' field

    def looks_at(self) -> Iterator[str]:
        return self.of.looks_at()


@spelled_class
class Log(_Logarithm):
    """log₁₀ x; the score becomes 0 where it is not above 0."""

    label: ClassVar[str] = "log"

    of: Annotated[Expression, checks.instance(Expression)]


@spelled_class
class Log1p(_Logarithm):
    """log₁₀(1 + x)."""

    label: ClassVar[str] = "log1p"

    of: Annotated[Expression, checks.instance(Expression)]


@spelled_class
class Gauss(Expression):
    """Decays with the distance of a field from an origin.

    Formula: exp(−max(0, |v − origin| − offset)² · ln(1/decay) / scale²).

    Args:
        path: the field, as a `FieldValue`.
        origin: where the value is 1.
        scale: distance (beyond `offset`) at which the value is `decay`; not 0.
        offset: distance within which the value stays 1; default 0.
        decay: between 0 and 1, both excluded; default 0.5.
    """

    label: ClassVar[str] = "gauss"

    path: Annotated[FieldValue, checks.instance(FieldValue), Read(FieldValue.from_content)]
    origin: Annotated[float, checks.real]
    scale: Annotated[float, checks.number(lambda value: value != 0, "a finite number that is not 0")]
    offset: Annotated[float | None, checks.real] = None
    decay: Annotated[float | None, checks.number(lambda value: 0 < value < 1, "above 0, below 1")] = None

    def content(self) -> Any:
        return {**super().content(), "path": self.path.content()}

    def looks_at(self) -> Iterator[str]:
        return self.path.looks_at()


_EXPRESSIONS: dict[str, type[Expression]] = {
    one.label: one for one in (Number, Relevance, FieldValue, Add, Multiply, Log, Log1p, Gauss)
}


def read_expression(document: Any) -> Expression:
    """Reads whichever expression a one-key document holds."""
    if not isinstance(document, Mapping):
        raise invalid(f"A score expression is a {type(document).__name__}", "a document with one key")
    given = [name for name, content in document.items() if content is not None]
    if len(given) != 1 or given[0] not in _EXPRESSIONS:
        raise invalid("Unknown score expression", f"exactly one of {', '.join(_EXPRESSIONS)}")
    return _EXPRESSIONS[given[0]].from_content(document[given[0]])
