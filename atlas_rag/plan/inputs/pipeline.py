"""Any ranked pipeline that a fusion takes as an input pipeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Ask, Input
from atlas_rag.plan.inputs.keyword import guarded
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Limit, Search, Stage, VectorSearch
from atlas_rag.stages.filters import to_vector_search
from atlas_rag.stages.fusion_inputs import SELECTION
from atlas_rag.stages.pipeline import read_pipeline
from atlas_rag.stages.placeholders import filled, from_form, names_in, to_form

SCORED = {"$search": ScoreKind.TEXT_RELEVANCE, "$vectorSearch": ScoreKind.VECTOR_SIMILARITY}
"""First stages that give each document a score, and what it measures."""


@known_names
@dataclass(frozen=True, slots=True)
class PipelineInput(Input):
    """A ranked source from stages of your own, in which placeholders stand for the question.

    Args:
        name: input pipeline name; weights and contributions use it.
        stages: as dictionaries or values: `$search` or `$vectorSearch` first, then stages that
            only select (`$match`, `$sort`, `$limit`, `$skip`, `$sample`).

    The filter of a question goes into the first stage and, as everywhere, behind the last.
    """

    form: ClassVar[str] = "pipeline"

    name: str
    stages: Sequence[Any] = field(repr=False)
    index: str = field(default="", init=False, repr=False)

    def __post_init__(self) -> None:
        if (
            isinstance(self.stages, (str, Mapping))
            or not isinstance(self.stages, Sequence)
            or not self.stages
        ):
            raise _refused(self.name, f"a {type(self.stages).__name__}", "a list of stages")
        documents = [_document(one) for one in self.stages]
        names = [next(iter(one), "") for one in documents]
        if names[0] not in SCORED:
            raise _refused(self.name, f"{names[0]} first", " or ".join(SCORED))
        other = next((name for name in names[1:] if name not in SELECTION), None)
        if other is not None:
            raise _refused(
                self.name, f"a {other} stage", f"stages that only select: {', '.join(sorted(SELECTION))}"
            )
        object.__setattr__(self, "stages", tuple(documents))
        object.__setattr__(self, "index", documents[0][names[0]].get("index", "default"))
        Input.__post_init__(self)
        self.ranked(Ask(text="question", keywords="question", vector=_ANY_VECTOR))

    @property
    def mode(self) -> Mode:  # type: ignore[override]
        """Of its first stage."""
        return Mode.VECTOR if self._first == "$vectorSearch" else Mode.KEYWORD

    @property
    def kind(self) -> ScoreKind:  # type: ignore[override]
        """What the score of its first stage measures."""
        return SCORED[self._first]

    @property
    def index_type(self) -> str:  # type: ignore[override]
        """Of the index that its first stage asks."""
        return "vectorSearch" if self._first == "$vectorSearch" else "search"

    @property
    def meta(self) -> str:  # type: ignore[override]
        """The `$meta` of its score."""
        return "vectorSearchScore" if self._first == "$vectorSearch" else "searchScore"

    @property
    def needs_vector(self) -> bool:
        return "vector" in names_in(list(self.stages))

    @property
    def approximate(self) -> bool:
        return self._first == "$vectorSearch" and not self.stages[0]["$vectorSearch"].get("exact")

    @property
    def vector_paths(self) -> tuple[str, ...]:
        path = self.stages[0][self._first].get("path") if self._first == "$vectorSearch" else None
        return (path,) if isinstance(path, str) else ()

    @property
    def behind(self) -> tuple[str, ...]:
        return tuple(str(next(iter(one))) for one in self.stages[1:])

    def ranked(self, ask: Ask) -> list[Stage]:
        documents = filled(list(self.stages), text=ask.text, keywords=ask.keywords, vector=ask.vector)
        first, *others = read_pipeline(documents).stages
        return [_filtered(first, ask), *others, Limit(ask.depth)]

    def to_dict(self) -> dict[str, Any]:
        """The form that a recipe holds."""
        return {"kind": self.form, "name": self.name, "stages": to_form(list(self.stages))}

    @property
    def _first(self) -> str:
        return str(next(iter(self.stages[0])))


_ANY_VECTOR = [1.0]


def _document(stage: Any) -> dict[str, Any]:
    document = stage.to_stage() if hasattr(stage, "to_stage") else stage
    if not isinstance(document, Mapping) or len(document) != 1:
        raise CallError(
            f"A stage of a PipelineInput is a {type(stage).__name__}",
            expected="a stage, or a dictionary with its name as the only key",
            next_step="write {'$search': {…}}",
        )
    return from_form(dict(document)) if not hasattr(stage, "to_stage") else dict(document)


def _filtered(first: Stage, ask: Ask) -> Stage:
    """The search with the filter of the question inside, beside what it filters by itself."""
    if isinstance(first, Search) and ask.filter.inside is not None:
        body = first.to_stage()["$search"]
        kept = {name: value for name, value in body.items() if name not in first.operator.to_operator()}
        return Search.from_stage(
            {"$search": {**kept, **guarded(first.operator, ask.filter.inside).to_operator()}}
        )
    if isinstance(first, VectorSearch):
        body = dict(first.to_stage()["$vectorSearch"])
        for option, condition in (("filter", ask.filter.inside), ("parentFilter", ask.filter.parent)):
            body |= _both(body, option, condition)
        return VectorSearch.from_stage({"$vectorSearch": body})
    return first


def _both(body: Mapping[str, Any], option: str, condition: Filter | None) -> dict[str, Any]:
    if condition is None:
        return {}
    ours = to_vector_search(condition)
    return {option: {"$and": [ours, body[option]]} if body.get(option) else ours}


def _refused(name: str, what: str, expected: str) -> CallError:
    return CallError(
        f"The input pipeline {name!r} has {what}",
        expected=expected,
        next_step="write it as a fusion takes it",
    )
