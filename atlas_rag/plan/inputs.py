"""The input pipelines a retriever has: where vectors are, and where text is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from atlas_rag.errors import CallError
from atlas_rag.hits.score import ScoreKind
from atlas_rag.query.request import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorInput:
    """A ranked source of nearest neighbours.

    Args:
        index: name of the vectorSearch index.
        path: dotted path of the vectors.
        name: input pipeline name; weights and contributions use it.
        exact: scan every vector instead of an approximate search.
    """

    mode: ClassVar[Mode] = Mode.VECTOR
    kind: ClassVar[ScoreKind] = ScoreKind.VECTOR_SIMILARITY

    index: str = "vector_index"
    path: str = "embedding"
    name: str = "vector"
    exact: bool = False

    def __post_init__(self) -> None:
        _check_words(self, "index", "path", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordInput:
    """A ranked source of keyword matches.

    Args:
        index: name of the search index.
        paths: string fields to look in; their scores add up.
        name: input pipeline name; weights and contributions use it.
        boosts: factor > 0 per path; omitted means 1.
    """

    mode: ClassVar[Mode] = Mode.KEYWORD
    kind: ClassVar[ScoreKind] = ScoreKind.TEXT_RELEVANCE

    index: str = "text_index"
    paths: tuple[str, ...] = ("text",)
    name: str = "keyword"
    boosts: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.paths, str) or not self.paths:
            raise CallError("KeywordInput.paths is not a tuple of paths", expected="at least one string path")
        _check_words(self, "index", "name")
        unknown = [path for path, _ in self.boosts if path not in self.paths]
        if unknown:
            raise CallError(
                f"KeywordInput.boosts names {unknown[0]!r}", expected=f"one of {', '.join(self.paths)}"
            )


Input = VectorInput | KeywordInput


def _check_words(value: Input, *names: str) -> None:
    for name in names:
        if not isinstance(getattr(value, name), str) or not getattr(value, name):
            raise CallError(f"{type(value).__name__}.{name} is not a name", expected="a non-empty string")
    if value.name.startswith("$") or "." in value.name or "\0" in value.name:
        raise CallError(
            f"The input pipeline name {value.name!r} is not allowed", expected="a word without '$' or '.'"
        )


def check_inputs(inputs: tuple[Input, ...]) -> None:
    """Refuses no inputs at all, and two of one name.

    Raises:
        CallError: INVALID_OPTION.
    """
    names = [one.name for one in inputs]
    if not names:
        raise CallError("There is no input pipeline", expected="at least one VectorInput or KeywordInput")
    if len(set(names)) < len(names):
        raise CallError(f"Two input pipelines share a name: {', '.join(names)}", expected="a name each")
