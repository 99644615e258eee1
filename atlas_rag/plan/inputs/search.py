"""Any `$search` operator as an input pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Ask, Input
from atlas_rag.plan.inputs.keyword import guarded
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Limit, Operator, Search, Stage
from atlas_rag.stages.operators.operator import read_operator
from atlas_rag.stages.placeholders import filled, from_form, names_in, to_form

OperatorOf = Callable[[str], "Operator | Mapping[str, Any]"]
WORD_OPERATORS = frozenset({"text", "phrase", "autocomplete"})
"""Operators that look for words in string fields."""


@known_names
@dataclass(frozen=True, slots=True)
class SearchInput(Input):
    """A ranked source from any operator of `$search`, in which placeholders stand for the question.

    Args:
        name: input pipeline name; weights and contributions use it.
        operator: an operator with QUESTION, KEYWORDS or VECTOR where the question goes, its dictionary, or a
            function from the question to either; a function cannot be written into a recipe.
        index: name of the search index; default "text_index".

    >>> from atlas_rag import QUESTION, SearchInput
    >>> SearchInput("titles", operator={"phrase": {"query": QUESTION, "path": "title"}}).to_dict()["operator"]
    {'phrase': {'query': {'$question': 1}, 'path': 'title'}}
    """

    kind: ClassVar[ScoreKind] = ScoreKind.TEXT_RELEVANCE
    index_type: ClassVar[str] = "search"
    meta: ClassVar[str] = "searchScore"
    form: ClassVar[str] = "search"

    name: str
    operator: Any = field(kw_only=True)
    index: str = field(default="text_index", kw_only=True)

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        if isinstance(self.operator, Mapping):
            object.__setattr__(self, "operator", read_operator(dict(self.operator)))
        if not isinstance(self.operator, Operator) and not callable(self.operator):
            raise CallError(
                f"SearchInput.operator is a {type(self.operator).__name__}",
                expected="an operator, its dictionary, or a function from the question to one",
                next_step="pass Text(query=QUESTION, path='title') or the like",
            )

    @property
    def mode(self) -> Mode:  # type: ignore[override]
        """Keyword, except where it asks with a vector alone."""
        return Mode.VECTOR if self._names == {"vector"} else Mode.KEYWORD

    @property
    def needs_vector(self) -> bool:
        return "vector" in self._names

    @property
    def text_paths(self) -> tuple[str, ...]:
        document = self._document()
        return () if document is None else tuple(dict.fromkeys(_word_paths(document)))

    @property
    def vector_paths(self) -> tuple[str, ...]:
        document = self._document() or {}
        path = document.get("vectorSearch", {}).get("path")
        return (path,) if isinstance(path, str) else ()

    @property
    def serialisable(self) -> bool:
        """Whether it can be written into a recipe: a function cannot."""
        return isinstance(self.operator, Operator)

    def ranked(self, ask: Ask) -> list[Stage]:
        operator = guarded(self._asked(ask), ask.filter.inside)
        return [Search(index=self.index, operator=operator), Limit(ask.depth)]

    def to_dict(self) -> dict[str, Any]:
        """The form that a recipe holds.

        Raises:
            CallError: INVALID_OPTION, the operator is a function.
        """
        document = self._document()
        if document is None:
            raise CallError(
                f"The operator of the input pipeline {self.name!r} is a function",
                expected="an operator with placeholders, which can be written down",
                next_step="put QUESTION, KEYWORDS or VECTOR where the function puts the question",
            )
        return {"kind": self.form, "name": self.name, "index": self.index, "operator": to_form(document)}

    @property
    def _names(self) -> frozenset[str]:
        document = self._document()
        return frozenset({"question"}) if document is None else names_in(document)

    def _document(self) -> dict[str, Any] | None:
        return self.operator.to_operator() if isinstance(self.operator, Operator) else None

    def _asked(self, ask: Ask) -> Operator:
        document = self._document()
        if document is None:
            made = self.operator(ask.text)
            return made if isinstance(made, Operator) else read_operator(from_form(made))
        return read_operator(filled(document, text=ask.text, keywords=ask.keywords, vector=ask.vector))


def _word_paths(document: Any) -> Iterator[str]:
    """Plain paths of the operators that look for words."""
    if isinstance(document, Mapping):
        for name, value in document.items():
            if name in WORD_OPERATORS and isinstance(value, Mapping):
                paths = value.get("path")
                yield from (
                    one for one in (paths if isinstance(paths, list) else [paths]) if isinstance(one, str)
                )
            elif name not in ("embeddedDocument", "score"):
                yield from _word_paths(value)
    elif isinstance(document, (list, tuple)):
        for value in document:
            yield from _word_paths(value)
