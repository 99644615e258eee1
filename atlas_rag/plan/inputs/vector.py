"""`$vectorSearch` as an input pipeline: the nearest neighbours of the question's vector."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from atlas_rag import stages as spell
from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Ask, Input, check_word
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names, shown
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.query.values import plain_number
from atlas_rag.stages.filters import to_vector_search
from atlas_rag.stages.placeholders import VECTOR, filled, to_form
from atlas_rag.stages.vector import MAX_CANDIDATES


@known_names
@dataclass(frozen=True, slots=True, kw_only=True)
class VectorInput(Input):
    """A ranked source of nearest neighbours.

    Args:
        index: name of the vectorSearch index.
        path: dotted path of the vectors.
        name: input pipeline name; weights and contributions use it.
        exact: scan every vector instead of an approximate search.
        num_candidates: neighbours visited, ≤ 10 000; default the call's.
        nested: of vectors under a `nestedRoot`, how the scores of one document's become one: max or avg.
        embedder: embeds questions for this input alone; default the retriever's.
        query: automated embedding: the text, or QUESTION, that the deployment embeds itself; then without a
            query vector. model: another model for it, compatible with the index's.
    """

    mode: ClassVar[Mode] = Mode.VECTOR
    kind: ClassVar[ScoreKind] = ScoreKind.VECTOR_SIMILARITY
    index_type: ClassVar[str] = "vectorSearch"
    meta: ClassVar[str] = "vectorSearchScore"
    form: ClassVar[str] = "vector"

    index: str = "vector_index"
    path: str = "embedding"
    name: str = "vector"
    exact: bool = False
    num_candidates: int | None = None
    nested: Literal["max", "avg"] | None = None
    embedder: Any = field(default=None, repr=False)
    query: str | None = None
    model: str | None = None

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        check_word(self, "path")
        if self.model is not None and self.query is None:
            raise CallError(
                "VectorInput.model is for automated embedding",
                expected="query and model together",
                next_step="pass query=QUESTION, or leave model out",
            )
        object.__setattr__(self, "num_candidates", plain_number(self.num_candidates))
        if not isinstance(self.exact, bool):
            raise _refused("exact", self.exact, "True or False", "leave it out for an approximate search")
        count = self.num_candidates
        if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
            raise _refused("num_candidates", count, f"1 to {MAX_CANDIDATES}", "leave it out for 20 × depth")
        if count is not None and self.exact:
            raise _refused("num_candidates", count, "None beside exact=True", "leave one of the two out")
        self.ranked(Ask(text="question", vector=VECTOR))  # refuses here what no question could make right

    @property
    def needs_vector(self) -> bool:
        return self.query is None

    @property
    def own_embedder(self) -> Any:
        return self.embedder

    @property
    def approximate(self) -> bool:
        return not self.exact

    @property
    def vector_paths(self) -> tuple[str, ...]:
        return (self.path,)

    def to_dict(self) -> dict[str, Any]:
        own = {"kind": self.form, "name": self.name, "index": self.index, "path": self.path}
        options = ("num_candidates", "nested", "model")
        given = {name: getattr(self, name) for name in options if getattr(self, name) is not None}
        if self.exact:
            given["exact"] = True
        if self.query is not None:
            given["query"] = to_form(self.query)
        if self.embedder is not None:
            given["embedder"] = self.embedder.id
        return own | given

    def ranked(self, ask: Ask) -> list[spell.Stage]:
        asked = {"text": ask.text, "keywords": ask.keywords, "vector": ask.vector}
        return [
            spell.VectorSearch(
                index=self.index,
                path=self.path,
                query_vector=ask.vector if self.query is None else None,
                query=None if self.query is None else filled(self.query, **asked),
                model=self.model,
                limit=ask.depth,
                num_candidates=None
                if self.exact
                else max(self.num_candidates or ask.num_candidates, ask.depth),
                exact=True if self.exact else None,
                nested_options=None if self.nested is None else spell.NestedOptions(score_mode=self.nested),
                filter=_spelled(ask.filter.inside),
                parent_filter=_spelled(ask.filter.parent),
            )
        ]


def _spelled(condition: Any) -> dict[str, Any] | None:
    return None if condition is None else to_vector_search(condition)


def _refused(name: str, given: Any, expected: str, next_step: str) -> CallError:
    return CallError(f"VectorInput.{name} is {shown(given)}", expected=expected, next_step=next_step)
