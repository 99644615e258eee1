"""How embedders of other libraries are called: by which methods, one text or many, awaited or not."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.providers.manner import is_async, methods

MANY = re.compile(r"\b(list|sequence|iterable|collection|tuple)\b", re.IGNORECASE)
MANY_NAMES = frozenset({"texts", "documents", "sentences", "passages", "inputs"})
"""What an annotation or a name says of a parameter that takes several texts."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is called for a question and for documents.

    Args:
        family: where this shape comes from, for `repr`. asynchronous: whether both give awaitables.
    """

    family: str
    query: Callable[[str], Any]
    documents: Callable[[list[str]], Any]
    asynchronous: bool


@dataclass(frozen=True, slots=True)
class Family:
    """The method names of one library, each the best first.

    Args:
        singly: those among `documents` that take one text.
    """

    name: str
    query: tuple[str, ...]
    documents: tuple[str, ...]
    singly: tuple[str, ...] = ()

    def shape(self, value: Any) -> Shape | None:
        """The shape of an object of this family, or None if it lacks a method."""
        queries, documents = methods(value, *self.query), methods(value, *self.documents)
        if not queries or not documents or not _embeds(value, queries):
            return None
        query = next(iter(queries.values()))
        name, embed = next(iter(documents.items()))
        asynchronous = is_async(query) and is_async(embed)
        if name in self.singly:
            embed = partial(each_awaited if asynchronous else each, embed)
        return Shape(self.name, query, embed, asynchronous)


FAMILIES = (
    Family("embed_query and embed_documents", ("embed_query",), ("embed_documents",)),
    Family("aembed_query and aembed_documents", ("aembed_query",), ("aembed_documents",)),
    Family(
        "get_query_embedding and get_text_embedding",
        ("get_query_embedding",),
        ("get_text_embedding_batch", "get_text_embedding"),
        ("get_text_embedding",),
    ),
    Family(
        "aget_query_embedding and aget_text_embedding",
        ("aget_query_embedding",),
        ("aget_text_embedding_batch", "aget_text_embedding"),
        ("aget_text_embedding",),
    ),
    Family("encode", ("encode_query", "encode"), ("encode_document", "encode")),
)
"""LangChain, LlamaIndex and sentence-transformers, each with its awaited methods after the plain ones."""


def shape_of(value: Any, asynchronous: bool | None, many: bool | None) -> Shape | None:
    """The shape of an object or function, or None if it has none that is known.

    Args:
        asynchronous: True prefers awaited methods where an object has both, else plain ones are preferred.
        many: of a function, whether it takes several texts; None reads it from its signature.
    """
    found = [shape for family in FAMILIES if (shape := family.shape(value)) is not None]
    found.sort(key=lambda shape: shape.asynchronous is not bool(asynchronous))
    if found:
        return found[0]
    return _function_shape(value, many) if callable(value) else None


def each(embed: Callable[[str], Any], texts: Sequence[str]) -> list[Any]:
    """The texts one by one."""
    vectors = []
    for text in texts:
        vector = embed(text)
        if inspect.isawaitable(vector):
            if inspect.iscoroutine(vector):
                vector.close()
            raise CallError("The embedder returned an awaitable", next_step="make it an `async def`")
        vectors.append(vector)
    return vectors


async def each_awaited(embed: Callable[[str], Any], texts: Sequence[str]) -> list[Any]:
    """The texts one by one."""
    return [await embed(text) for text in texts]


def only(embed: Callable[[list[str]], Any], text: str) -> Any:
    """The vector of one text by a function of many."""
    return embed([text])[0]


async def only_awaited(embed: Callable[[list[str]], Any], text: str) -> Any:
    """The vector of one text by a function of many."""
    return (await embed([text]))[0]


def _embeds(value: Any, queries: dict[str, Any]) -> bool:
    """What only encodes and decodes is a tokenizer, or a string."""
    return set(queries) != {"encode"} or not (isinstance(value, str) or methods(value, "decode"))


def _function_shape(function: Callable[..., Any], many: bool | None) -> Shape:
    takes_many = _takes_many(function) if many is None else many
    asynchronous = is_async(function)
    if takes_many:
        query = partial(only_awaited if asynchronous else only, function)
        return Shape("a function of texts", query, function, asynchronous)
    documents = partial(each_awaited if asynchronous else each, function)
    return Shape("a function of one text", function, documents, asynchronous)


def _takes_many(function: Callable[..., Any]) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions have none
        return False
    try:
        signature.bind("text")
    except TypeError:
        raise CallError(
            f"The embedder's function takes {signature}",
            expected="one argument: a text, or a list of texts",
            next_step="fix the others with functools.partial",
        ) from None
    first = next(iter(signature.parameters.values()))
    if first.annotation is inspect.Parameter.empty:
        return first.name in MANY_NAMES
    said = first.annotation if isinstance(first.annotation, str) else repr(first.annotation)
    return MANY.search(said) is not None
