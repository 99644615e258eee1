"""Anything that turns text into vectors, as an `Embedder`."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Sequence
from typing import Any, cast

from atlas_rag.embed.protocol import Embedder, Embedding
from atlas_rag.embed.shapes import FAMILIES, Shape, shape_of
from atlas_rag.errors import CallError, ReplyError
from atlas_rag.providers.manner import dimensions_of, is_async, methods, name_of, refuse_class
from atlas_rag.stages.vector import as_vector

EXPECTED = (
    "embed_query and embed_documents (as LangChain has), get_query_embedding and get_text_embedding "
    "(LlamaIndex), encode (sentence-transformers), or a function from text to vector"
)
CLOSE = 0.75
"""Likeness of two names, 0…1, from which one may be meant for the other."""


class AdaptedEmbedder:
    """An object or function of somebody else as an `Embedder`; made by `as_embedder`.

    Attributes:
        dimensions: None until the first call, where the object does not tell.
    """

    def __init__(self, shape: Shape, id: str, dimensions: int | None, blocking: bool) -> None:  # noqa: A002
        self.id = id
        self.dimensions = dimensions
        self.blocking = blocking
        self._shape = shape

    def __repr__(self) -> str:
        length = "dimensions not known yet" if self.dimensions is None else f"{self.dimensions} dimensions"
        manner = "awaited" if self._shape.asynchronous else "blocking" if self.blocking else "quick"
        return f"AdaptedEmbedder({self.id!r}, {self._shape.family}, {length}, {manner})"

    def embed_query(self, text: str) -> Any:
        """The vector of one question, or an awaitable of it."""
        if self._shape.asynchronous:
            return self._awaited_query(text)
        vector = self._shape.query(text)
        return vector if inspect.isawaitable(vector) else self._checked(vector)

    def embed_documents(self, texts: Sequence[str]) -> Any:
        """One vector per text, in order, or an awaitable of them."""
        if self._shape.asynchronous:
            return self._awaited_documents(list(texts))
        vectors = self._shape.documents(list(texts))
        return vectors if inspect.isawaitable(vectors) else self._all_checked(vectors, len(texts))

    async def _awaited_query(self, text: str) -> Embedding:
        return self._checked(await self._shape.query(text))

    async def _awaited_documents(self, texts: list[str]) -> list[Embedding]:
        return self._all_checked(await self._shape.documents(texts), len(texts))

    def _all_checked(self, vectors: Any, asked: int) -> list[Embedding]:
        found = list(vectors)
        if len(found) != asked:
            raise ReplyError(
                f"The embedder {self.id!r} returned {len(found)} vectors for {asked} texts",
                expected="one each",
            )
        return [self._checked(vector) for vector in found]

    def _checked(self, vector: Any) -> Embedding:
        length = as_vector(vector).dimensions
        if self.dimensions is None:
            self.dimensions = length
        if length != self.dimensions:
            raise ReplyError(
                f"The embedder {self.id!r} returned a vector of {length} dimensions",
                expected=f"{self.dimensions}, as it said or returned before",
            )
        return vector


def as_embedder(
    value: Any,
    *,
    id: str | None = None,  # noqa: A002
    dimensions: int | None = None,
    blocking: bool | None = None,
    many: bool | None = None,
    asynchronous: bool | None = None,
) -> Embedder:
    """An embedder from what you have: of LangChain, LlamaIndex or sentence-transformers, or a function.

    What is an `Embedder` already, or one of questions only, comes back as it is. The guesses are shown by
    `repr`; each can be told.

    Args:
        id: names model and settings, equal in every process; default the class and its model, or the
            function's module and name. Tell it for lambdas: all of one module are named alike.
        dimensions: default what an attribute says, else learnt at the first call.
        blocking: whether a call waits or computes for long; default True unless it is awaited. An
            `AsyncRetriever` calls what blocks in a thread.
        many: of a function, whether it takes a list of texts; default what its signature says.
        asynchronous: where an object has both kinds of methods, True takes the awaited ones, for an
            `AsyncRetriever`; False refuses what can only be awaited. Default: plain ones where there are.

    Raises:
        CallError: INVALID_OPTION, it cannot embed, or is a class.
    """
    refuse_class(value, "embedder")
    told = (id, dimensions, blocking, many) != (None, None, None, None)
    if _is_embedder(value) and not told:
        _check_manner(value, is_async(value.embed_query), asynchronous)
        return cast(Embedder, value)
    shape = shape_of(value, asynchronous, many)
    if shape is None:
        raise _refusal(value)
    _check_manner(value, shape.asynchronous, asynchronous)
    length = dimensions_of(value) if dimensions is None else dimensions
    return AdaptedEmbedder(
        shape,
        id=_named(value, length) if id is None else id,
        dimensions=length,
        blocking=_blocks(value, shape) if blocking is None else blocking,
    )


def _is_embedder(value: Any) -> bool:
    """Whether it has all that an `Embedder` needs for questions, of the right types."""
    return (
        isinstance(getattr(value, "id", None), str)
        and isinstance(getattr(value, "dimensions", 0), int | None)
        and hasattr(value, "dimensions")
        and isinstance(getattr(value, "blocking", None), bool)
        and bool(methods(value, "embed_query"))
    )


def _check_manner(value: Any, awaited: bool, asynchronous: bool | None) -> None:
    if awaited and asynchronous is False:
        raise CallError(
            f"The embedder {name_of(value)!r} can only be awaited",
            expected="an embedder with plain methods",
            next_step="use AsyncRetriever",
        )


def _named(value: Any, length: int | None) -> str:
    """Model and length: vectors of one model can be cut to several."""
    name = name_of(value)
    return name if length is None or name == getattr(value, "id", None) else f"{name}/{length}"


def _blocks(value: Any, shape: Shape) -> bool:
    own = getattr(value, "blocking", None)
    return own if isinstance(own, bool) else not shape.asynchronous


def _refusal(value: Any) -> CallError:
    kind = type(value).__name__
    if type(value).__module__.partition(".")[0] == "voyageai":
        return CallError(
            f"The embedder is a client of Voyage AI ({kind})",
            expected="an embedder",
            next_step="pass VoyageEmbedder(client=…)",
        )
    return CallError(
        f"A {kind} cannot embed{_almost(value)}",
        expected=EXPECTED,
        next_step="pass such an object, or a function that calls yours: as_embedder(lambda text: …, id=…)",
    )


def _almost(value: Any) -> str:
    """What it has of what is needed, or has under a name like it."""
    for family in FAMILIES:
        has = [*methods(value, *family.query), *methods(value, *family.documents)]
        lacks = family.documents[0] if has and has[0] in family.query else family.query[0]
        if has and family.name != "encode":
            return f": it has {has[0]}, but not {lacks}"
    known = dict.fromkeys(name for family in FAMILIES for name in (*family.query, *family.documents))
    for name in dir(value):
        near = difflib.get_close_matches(name, known, n=1, cutoff=CLOSE) if not name.startswith("_") else []
        if near and near[0] != name:
            return f": it has {name}; {near[0]} is needed"
    return ""
