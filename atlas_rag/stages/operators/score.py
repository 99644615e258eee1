"""Score options: what becomes of an operator's relevance. Exactly one per operator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.function import Expression, read_expression
from atlas_rag.stages.spelling import Read, WireModel, invalid, spelled_class


class ScoreOption(WireModel):
    """Base of the score options; `label` is the key under `score`."""

    label: ClassVar[str]

    def spell(self) -> dict[str, Any]:
        return {self.label: super().spell()}

    def looks_at(self) -> Iterator[str]:
        """The field paths that the score is computed from."""
        return iter(())


@spelled_class
class Boost(ScoreOption):
    """Multiplies the score by a number, or by the number stored at a path.

    Args:
        value: factor, finite and > 0 as float32.
        path: a `number` field; one value per document.
        undefined: factor where the path holds no single number; default 0; only with `path`.
    """

    label: ClassVar[str] = "boost"

    value: Annotated[float | None, checks.factor] = None
    path: Annotated[str | None, checks.word] = None
    undefined: Annotated[float | None, checks.real] = None

    def validate(self) -> None:
        if (self.value is None) == (self.path is None):
            raise invalid("score.boost has not exactly one of value and path", "one of the two")
        if self.undefined is not None and self.path is None:
            raise invalid("score.boost has undefined without path", "undefined beside path")

    def looks_at(self) -> Iterator[str]:
        if self.path is not None:
            yield self.path


@spelled_class
class Constant(ScoreOption):
    """Gives every match this score.

    Args:
        value: finite, ≥ 0, as float32.
    """

    label: ClassVar[str] = "constant"

    value: Annotated[float, checks.constant]


@spelled_class
class Function(ScoreOption):
    """Replaces the score by an expression over relevance and number fields; below 0 it becomes 0.

    `Function(expression=Relevance() * Log1p(of=FieldValue(path="likes")))`

    Args:
        expression: computed in doubles, narrowed to a float32 at the end.
    """

    label: ClassVar[str] = "function"

    expression: Annotated[Expression, checks.instance(Expression)]

    def spell(self) -> dict[str, Any]:
        return {self.label: self.expression.spell()}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Function:
        return cls(expression=read_expression(document))

    def looks_at(self) -> Iterator[str]:
        return self.expression.looks_at()


@spelled_class
class Dismax(ScoreOption):
    """Scores a compound by its best `should` clause, plus a share of the others.

    Formula: best + tie_breaker_score · Σ others.

    Args:
        tie_breaker_score: 0…1; default 1, which is the sum.
    """

    label: ClassVar[str] = "dismax"

    tie_breaker_score: Annotated[float | None, checks.unit] = None


class RawScore(ScoreOption):
    """A score option passed through as it is, for syntax newer than this library."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    def spell(self) -> dict[str, Any]:
        return dict(self.document)

    def raw_parts(self) -> Iterator[str]:
        return (f"score.{name}" for name in self.document)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawScore) and self.document == other.document

    def __hash__(self) -> int:
        return hash(tuple(self.document))

    def __repr__(self) -> str:
        return f"RawScore({', '.join(self.document)})"


def read_score(document: Any) -> ScoreOption:
    """Reads the document under `score`."""
    if not isinstance(document, Mapping):
        raise invalid(f"score is a {type(document).__name__}", "a document of one option")
    given = {name: body for name, body in document.items() if body is not None}
    if len(given) != 1:
        raise invalid("score has not exactly one option", f"one of {', '.join(_OPTIONS)}")
    ((name, body),) = given.items()
    if name not in _OPTIONS:
        raise invalid(
            f"Unknown score option {name!r}",
            f"one of {', '.join(_OPTIONS)}",
            "RawScore(document) passes newer syntax through",
        )
    return _OPTIONS[name].read(body)


ScoreField: TypeAlias = Annotated[
    ScoreOption | None, checks.instance(Boost, Constant, Function, RawScore), Read(read_score)
]
"""The type of the `score` option that every operator has."""

CompoundScore: TypeAlias = Annotated[
    ScoreOption | None, checks.instance(Boost, Constant, Function, Dismax, RawScore), Read(read_score)
]
"""The `score` of `compound`."""


@spelled_class
class Embedded(ScoreOption):
    """How the scores of several matching embedded documents become one.

    Args:
        aggregate: `sum` (default), `maximum`, `minimum` or `mean`.
        outer_score: changes the aggregate.
    """

    label: ClassVar[str] = "embedded"

    aggregate: Annotated[str | None, checks.one_of("maximum", "mean", "minimum", "sum")] = None
    outer_score: ScoreField = None

    def looks_at(self) -> Iterator[str]:
        return iter(()) if self.outer_score is None else self.outer_score.looks_at()


JoinScore: TypeAlias = Annotated[
    ScoreOption | None, checks.instance(Boost, Constant, Function, Embedded, RawScore), Read(read_score)
]
"""The `score` of operators that join documents."""

_OPTIONS: dict[str, type[ScoreOption]] = {
    one.label: one for one in (Boost, Constant, Function, Dismax, Embedded)
}
