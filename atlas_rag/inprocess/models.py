"""Models that a deployment can ask: embedders for automated embedding, rerankers for `$rerank`.

They are given by whoever opens the deployment, under the names by which definitions and queries know them. A
name that was not given is refused, with the names that were.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from atlas_rag.inprocess.errors import EngineRefusal

Given = TypeVar("Given")

_ONE_SPACE = frozenset({"voyage-4", "voyage-4-large", "voyage-4-lite"})
"""Models that share a vector space, so that one may ask what another has embedded."""


class TextEmbedder(Protocol):
    """Turns text into vectors of one space, at once (not awaitable)."""

    def embed_query(self, text: str) -> Any: ...
    def embed_documents(self, texts: Sequence[str]) -> Any: ...


class TextReranker(Protocol):
    """Scores texts against a question: pairs of a text's position and its score, higher is better."""

    def rerank(self, query: str, texts: Sequence[str]) -> Any: ...


class Models:
    """Embedders and rerankers by name.

    Raises:
        TypeError: one lacks the methods that it needs.
    """

    def __init__(
        self,
        embedders: Mapping[str, TextEmbedder] | None = None,
        rerankers: Mapping[str, TextReranker] | None = None,
    ) -> None:
        self._embedders, self._rerankers = dict(embedders or {}), dict(rerankers or {})
        for name, embedder in self._embedders.items():
            _check_methods("models", name, embedder, "embed_query", "embed_documents")
        for name, reranker in self._rerankers.items():
            _check_methods("rerankers", name, reranker, "rerank")

    @property
    def embedders(self) -> tuple[str, ...]:
        """Names of the embedders."""
        return tuple(self._embedders)

    @property
    def rerankers(self) -> tuple[str, ...]:
        """Names of the rerankers."""
        return tuple(self._rerankers)

    def embedder(self, name: str) -> TextEmbedder:
        """Returns an embedder. Raises `EngineRefusal` for a name that was not given."""
        return _named(self._embedders, name, "embedding model", "models")

    def reranker(self, name: str) -> TextReranker:
        """Returns a reranker. Raises `EngineRefusal` for a name that was not given."""
        return _named(self._rerankers, name, "reranking model", "rerankers")


def share_space(one: str, other: str) -> bool:
    """Whether questions embedded by one model can be asked of what another has embedded."""
    return one.lower() == other.lower() or {one.lower(), other.lower()} <= _ONE_SPACE


def asked(name: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """What a model answers. Raises `EngineRefusal` where it fails, without the texts that it was given."""
    try:
        answer = call(*arguments)
    except Exception as error:
        raise EngineRefusal(f"model {name} failed: {type(error).__name__}") from error
    if inspect.isawaitable(answer):
        if inspect.iscoroutine(answer):
            answer.close()
        raise EngineRefusal(
            f"model {name} answers asynchronously; the in-process engine needs one that does not"
        )
    return answer


def _named(given: Mapping[str, Given], name: str, what: str, option: str) -> Given:
    for known, value in given.items():
        if known.lower() == name.lower():
            return value
    listed = ", ".join(given) or "none"
    raise EngineRefusal(
        f"{what} {name} is not known to this deployment, which was opened with {listed}; give it as "
        f'{option}={{"{name}": …}}'
    )


def _check_methods(option: str, name: str, value: Any, *methods: str) -> None:
    missing = [method for method in methods if not callable(getattr(value, method, None))]
    if missing:
        found = type(value).__name__
        raise TypeError(f"{option}[{name!r}] is a {found} without {' and '.join(missing)}")
