"""What every input pipeline is: a name, what it looks in, and the stages it becomes for one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from atlas_rag import stages as spell
from atlas_rag.errors import CallError
from atlas_rag.query.content import check_text
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.threshold import ScoreKind


@dataclass(frozen=True, slots=True)
class InputFilter:
    """Where one input pipeline applies the filter of a question.

    Args:
        inside: what its search applies itself; None for nothing.
        parent: of nested vectors, what it applies to the whole document.
        after: what no index decides and a `$match` applies to its results.
    """

    inside: Filter | None = None
    parent: Filter | None = None
    after: Filter | None = None


NO_FILTER = InputFilter()


@dataclass(frozen=True, slots=True)
class Ask:
    """What an input pipeline needs to know of one question.

    Args:
        text: the question. keywords: what a keyword search looks for.
        vector: the query vector of this input, or None where it needs none.
        depth: documents it contributes at most. num_candidates: neighbours visited.
        filter: where the filter of the question acts.
    """

    text: str = field(default="", repr=False)
    keywords: str = field(default="", repr=False)
    vector: Any = field(default=None, repr=False)
    depth: int = 100
    num_candidates: int = 2000
    filter: InputFilter = NO_FILTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A ranked source of documents. Subclasses say which; `ranked` spells one question.

    Args:
        index: name of the search index that is asked.
        name: input pipeline name; weights and contributions use it.
        wording: what it asks in place of the question: a variant of it. None for the question itself.
    """

    mode: ClassVar[Mode]
    kind: ClassVar[ScoreKind]
    index_type: ClassVar[str]
    meta: ClassVar[str]
    """The `$meta` of its score."""
    form: ClassVar[str]
    """Its `kind` in a recipe."""

    index: str
    name: str
    wording: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        check_word(self, "index")
        check_word(self, "name")
        if self.name.startswith("$") or "." in self.name:
            raise CallError(
                f"The input pipeline name {self.name!r} is not allowed",
                expected="a word without '$' or '.'",
                next_step="choose another name",
            )

    @property
    def needs_vector(self) -> bool:
        """Whether it asks with a query vector."""
        return False

    @property
    def approximate(self) -> bool:
        """Whether it may miss what it should find."""
        return False

    @property
    def vector_paths(self) -> tuple[str, ...]:
        """Where its vectors are: left out of the documents that come back."""
        return ()

    @property
    def text_paths(self) -> tuple[str, ...]:
        """String fields that it looks in for words."""
        return ()

    @property
    def behind(self) -> tuple[str, ...]:
        """Names of the stages of its own behind the search."""
        return ()

    @property
    def own_embedder(self) -> Any:
        """What embeds questions for this input alone; None for the retriever's embedder."""
        return None

    @property
    def serialisable(self) -> bool:
        """Whether it can be written into a recipe."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """The form that a recipe holds; `read_input` reads it."""
        raise NotImplementedError

    def ranked(self, ask: Ask) -> list[spell.Stage]:
        """The ranked stages for one question, without those behind the search."""
        raise NotImplementedError


def check_word(value: Any, name: str) -> None:
    """Refuses an attribute that cannot be a name: no string, an empty one, half a character or NUL in it.

    Raises:
        CallError: INVALID_OPTION.
    """
    given = getattr(value, name)
    if not isinstance(given, str) or not given:
        raise CallError(
            f"{type(value).__name__}.{name} is {given!r}",
            expected="a non-empty string",
            next_step=f"name the {name}",
        )
    check_text(given, f"{type(value).__name__}.{name}")
    if "\0" in given:
        raise CallError(
            f"{type(value).__name__}.{name} holds a NUL character",
            expected="a name without it",
            next_step=f"correct the {name}",
        )


def check_inputs(inputs: Any) -> tuple[Input, ...]:
    """The input pipelines as a tuple: at least one, each an `Input`, no two of one name.

    Raises:
        CallError: INVALID_OPTION.
    """
    if isinstance(inputs, Input):
        raise CallError(
            f"inputs is one {type(inputs).__name__}",
            expected="a list of input pipelines",
            next_step=f"pass [{type(inputs).__name__}(…)]",
        )
    if not isinstance(inputs, Sequence) or isinstance(inputs, str):
        raise CallError(
            f"inputs is a {type(inputs).__name__}",
            expected="a list of VectorInput, KeywordInput and the like",
            next_step="pass [VectorInput(), KeywordInput()]",
        )
    for one in inputs:
        if not isinstance(one, Input):
            what = one.__name__ if isinstance(one, type) else type(one).__name__
            raise CallError(
                f"An input pipeline is {'the class ' if isinstance(one, type) else 'a '}{what}",
                expected="a VectorInput, KeywordInput or the like",
                next_step=f"pass {what}(…)" if isinstance(one, type) else "make it one of these",
            )
    names = [one.name for one in inputs]
    if not names:
        raise CallError(
            "There is no input pipeline",
            expected="at least one VectorInput or KeywordInput",
            next_step="leave inputs out for one of each",
        )
    if len(set(names)) < len(names):
        raise CallError(
            f"Two input pipelines share a name: {', '.join(names)}",
            expected="a name each",
            next_step="pass name=… to one of them",
        )
    return tuple(inputs)
