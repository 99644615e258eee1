"""`score` of an operator: how its relevance is changed, replaced or computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import (
    BETWEEN_0_AND_1,
    NONZERO,
    NOT_NEGATIVE,
    POSITIVE,
    Document,
    DocumentOr,
    Double,
    Enum,
    Float32,
    Later,
    ListOf,
    Literal,
    Rule,
    Text,
    exactly_one,
    field,
    is_document,
    is_string,
    required,
    type_name,
    within,
)
from atlas_rag.grammar.kit.documents import Field
from atlas_rag.grammar.problem import At, Found, bare_problem, problem

# ------------------------------------------------------------------ function expressions

_EXPRESSION: Final = Later()

_NUMERIC_PATH: Final = DocumentOr(
    is_string,
    Text(),
    Document(required("value", Text()), field("undefined", Double())),
    "document or string",
)


class _Arguments(ListOf):
    """The arguments of `add` and `multiply`: two or more."""

    def __init__(self, name: str) -> None:
        super().__init__(_EXPRESSION)
        self._name = name

    def check_items(self, value: list[Any], at: At, found: Found) -> None:
        super().check_items(value, at, found)
        if len(value) < 2:
            text = f"{self._name} expression must have at least two arguments"
            found.append(problem(at, text, "arguments"))


class _Gauss(Document):
    """A decay; what is no document is refused by an incidental text of the engine, without a path."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_document(value):
            super().check(value, at, found)
        else:
            text = f"Value expected to be of type DOCUMENT is of unexpected type {type_name(value)}"
            found.append(bare_problem(at, text, "type"))


_EXPRESSION.define(
    Document(
        exactly_one(
            field("add", _Arguments("add")),
            field("constant", Double()),
            field(
                "gauss",
                _Gauss(
                    required("path", _NUMERIC_PATH),
                    required("origin", Double()),
                    required("scale", Double(NONZERO)),
                    field("offset", Double()),
                    field("decay", Double(BETWEEN_0_AND_1)),
                ),
            ),
            field("log", _EXPRESSION),
            field("log1p", _EXPRESSION),
            field("multiply", _Arguments("multiply")),
            field("path", _NUMERIC_PATH),
            field(
                "score", Literal(lambda name: name == "relevance", 'score field must have value "relevance"')
            ),
        )
    )
)

# ------------------------------------------------------------------ score options


def _undefined_needs_path(boost: Mapping[str, Any], at: At, found: Found) -> None:
    if boost.get("value") is not None and boost.get("undefined") is not None:
        text = '"undefined" cannot be present when "value" is present'
        found.append(problem(at, text, "exclusive"))


_BOOST: Final = field(
    "boost",
    Document(
        exactly_one(field("value", Float32(POSITIVE)), field("path", Text())),
        field("undefined", Double()),
        Rule(_undefined_needs_path, "value", "undefined"),
    ),
)
_CONSTANT: Final = field("constant", Document(required("value", Float32(NOT_NEGATIVE))))
_FUNCTION: Final = field("function", _EXPRESSION)
_DISMAX: Final = field("dismax", Document(field("tieBreakerScore", Float32(within(0.0, 1.0), finite=False))))


def _score(*more: Field) -> Document:
    return Document(exactly_one(_BOOST, _CONSTANT, _FUNCTION, *more))


SCORE: Final = field("score", _score())
"""Of every operator that has nothing of its own."""

COMPOUND_SCORE: Final = field("score", _score(_DISMAX))

EMBEDDED_SCORE: Final = field(
    "score",
    _score(
        field(
            "embedded",
            Document(
                field("aggregate", Enum("maximum", "mean", "minimum", "sum")),
                field("outerScore", _score()),
            ),
        )
    ),
)
"""Of operators that join documents: `embeddedDocument`, `hasAncestor`, `hasRoot`."""


# ------------------------------------------------------------------ reading sound scores


def score_paths(score: Mapping[str, Any] | None) -> Iterator[str]:
    """The fields that a sound score reads."""
    if score is None:
        return
    boost, function, embedded = score.get("boost"), score.get("function"), score.get("embedded")
    if boost is not None and boost.get("path") is not None:
        yield boost["path"]
    if function is not None:
        yield from _expression_paths(function)
    if embedded is not None:
        yield from score_paths(embedded.get("outerScore"))


def _expression_paths(expression: Mapping[str, Any]) -> Iterator[str]:
    for name, value in expression.items():
        if value is None:
            continue
        if name == "path":
            yield value if is_string(value) else value["value"]
        elif name == "gauss":
            yield from _expression_paths({"path": value["path"]})
        elif name in ("log", "log1p"):
            yield from _expression_paths(value)
        elif name in ("add", "multiply"):
            for argument in value:
                yield from _expression_paths(argument)
