"""Voyage AI embeddings through the official client: texts, chunks with their document, texts with images."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Sequence
from functools import partial
from typing import Any

from atlas_rag.embed.voyage_inputs import all_sound, media, sound, tokens_of
from atlas_rag.embed.voyage_vectors import as_bson, check_count
from atlas_rag.errors import CallError
from atlas_rag.providers.limits import (
    MAX_DIMENSIONS,
    OUTPUT_TYPES,
    EmbeddingLimits,
    Endpoint,
    OutputType,
    embedding_limits,
    share_space,
)
from atlas_rag.providers.texts import filled
from atlas_rag.providers.usage import Usage
from atlas_rag.providers.voyage import VoyageClient
from atlas_rag.wire import Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock

DEFAULT_DIMENSIONS = 1024


class VoyageEmbedder:
    """Embeds queries and documents with their own input types, in as many requests as the limits ask for.

    The model decides what is read: `voyage-context-…` also embeds chunks together with their document
    (`embed_chunks`), `voyage-multimodal-…` also texts with images (`embed_media`). The question of either is
    embedded by `embed_query`, in the same space.

    Args:
        model: such as "voyage-4"; models of one family share a vector space.
        dimensions: 256, 512, 1024 or 2048 where the model offers a choice; None for its default.
        query_model: a smaller model of the same space for questions, such as "voyage-4-lite" where documents
            have "voyage-4-large"; None for the same.
        output_type: float gives numbers; int8, binary and ubinary give BinData (int8 or packed bits); uint8
            has no BinData type: numbers 0…255, which a float vector index takes.
        truncation: cuts texts beyond the model's context; False has the service refuse them. Models of
            chunks know no such option.
        client: a `voyageai.Client` or `voyageai.AsyncClient`; None makes a synchronous one.
        attempts: requests at most for one batch. timeout: seconds for one request of a client made here.

    Raises:
        CallError: INVALID_OPTION. RetrievalError: PROVIDER_FAILED.
        ReplyError: not every text got a vector of the length asked for.
    """

    def __init__(
        self,
        model: str = "voyage-4",
        dimensions: int | None = None,
        *,
        query_model: str | None = None,
        output_type: OutputType = "float",
        truncation: bool = True,
        client: Any = None,
        attempts: int = 4,
        timeout: float = 30.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._model = model
        self._query_model = _chosen_query_model(model, query_model)
        self._limits = embedding_limits(model)
        self._dimensions = _chosen_dimensions(model, dimensions, self._limits)
        self._output_type = _chosen_type(model, output_type, self._limits)
        if not truncation and self._limits.endpoint == "chunks":
            raise CallError(
                f"{model} knows no truncation", expected="truncation=True", next_step="cut smaller chunks"
            )
        self._truncation = truncation
        self._voyage = VoyageClient(client, timeout=timeout, attempts=attempts, clock=clock)

    @property
    def id(self) -> str:
        """Model, dimensions and type: vectors of one id can be compared."""
        return f"voyage/{self._model}/{self._dimensions}/{self._output_type}"

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return self._dimensions

    @property
    def blocking(self) -> bool:
        """True with a synchronous client: it waits for the network."""
        return not self._voyage.is_async

    @property
    def usage(self) -> Usage:
        """What the service counted so far, over all calls of this object."""
        return self._voyage.meter.usage

    def __repr__(self) -> str:
        return f"VoyageEmbedder({self.id!r})"

    def embed_query(self, text: str) -> Any | Awaitable[Any]:
        """The vector of one question (input type "query")."""
        return self._voyage.run(self._first(self._embed([sound(text, "The question")], "query")))

    def embed_documents(self, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One vector per text, in order (input type "document")."""
        return self._voyage.run(self._embed(all_sound(texts, "Text"), "document"))

    def embed_chunks(self, documents: Sequence[Sequence[str]]) -> Any | Awaitable[Any]:
        """Vectors of chunks that know their document: one list per document, in order.

        Args:
            documents: the chunks of each, in the order of the text, without overlap.
        """
        self._require("chunks", "voyage-context-4")
        found = [all_sound(chunks, f"Document {i}, chunk") for i, chunks in enumerate(documents)]
        for position, chunks in enumerate(found):
            if not chunks:
                raise CallError(f"Document {position} has no chunk", next_step="leave it out")
        return self._voyage.run(self._embed_chunks(found, "document"))

    def embed_media(self, inputs: Sequence[Any], *, query: bool = False) -> Any | Awaitable[Any]:
        """One vector per input of texts and images, in order.

        Args:
            inputs: each a string, a list of strings, PIL images and `voyageai` videos, or a dictionary
                `{"content": [{"type": "image_url", …}, …]}`; lists and dictionaries do not mix.
            query: whether they ask (input type "query") instead of being found.
        """
        self._require("media", "voyage-multimodal-3.5")
        return self._voyage.run(self._embed_batches(media(inputs), "query" if query else "document"))

    def _require(self, endpoint: Endpoint, example: str) -> None:
        if self._limits.endpoint != endpoint:
            raise CallError(
                f"{self._model} embeds {self._limits.endpoint}",
                expected=f"a model for {endpoint}, such as {example}",
                next_step=f"VoyageEmbedder({example!r}); its vectors have a space and an id of their own",
            )

    def _first(self, steps: Flow[list[Any]]) -> Flow[Any]:
        return (yield from steps)[0]

    def _embed(self, texts: list[str], input_type: str) -> Flow[list[Any]]:
        if self._limits.endpoint == "chunks":
            documents = yield from self._embed_chunks([[text] for text in texts], input_type)
            return [vectors[0] for vectors in documents]
        inputs: list[Any] = [[text] for text in texts] if self._limits.endpoint == "media" else list(texts)
        return (yield from self._embed_batches(inputs, input_type))

    def _embed_batches(self, inputs: list[Any], input_type: str) -> Flow[list[Any]]:
        vectors: list[Any] = []
        client = self._voyage.client
        send = client.multimodal_embed if self._limits.endpoint == "media" else client.embed
        for batch in filled(inputs, tokens_of, self._limits.items, self._limits.tokens):
            options = self._options(input_type) | {"truncation": self._truncation}
            answer = yield from self._voyage.ask("embed", partial(send, batch, **options))
            check_count(len(answer.embeddings), len(batch))
            vectors += self._vectors(answer.embeddings)
        return vectors

    def _embed_chunks(self, documents: list[list[str]], input_type: str) -> Flow[list[list[Any]]]:
        vectors: list[list[Any]] = []
        send = self._voyage.client.contextualized_embed
        for part in filled(documents, len, self._limits.items, self._limits.chunks):
            for batch in filled(part, tokens_of, self._limits.items, self._limits.tokens):
                request = partial(send, batch, **self._options(input_type))
                answer = yield from self._voyage.ask("embed", request)
                check_count(len(answer.results), len(batch), "lists of vectors", "documents")
                for result, chunks in zip(answer.results, batch, strict=True):  # numbered as they arrive
                    check_count(len(result.embeddings), len(chunks))
                    vectors.append(self._vectors(result.embeddings))
        return vectors

    def _options(self, input_type: str) -> dict[str, Any]:
        """What a request says besides its inputs; choices that a model does not offer are not sent."""
        model = self._query_model if input_type == "query" else self._model
        options: dict[str, Any] = {"model": model, "input_type": input_type}
        if len(self._limits.dimensions) != 1:
            options["output_dimension"] = self._dimensions
        if self._limits.quantized:
            options["output_dtype"] = self._output_type
        return options

    def _vectors(self, found: Iterable[Any]) -> list[Any]:
        return [as_bson(vector, self._output_type, self._dimensions) for vector in found]


def _chosen_dimensions(model: str, given: int | None, limits: EmbeddingLimits) -> int:
    if given is None:
        return next(iter(limits.dimensions), DEFAULT_DIMENSIONS)
    if isinstance(given, bool) or not isinstance(given, int) or not 1 <= given <= MAX_DIMENSIONS:
        raise CallError(f"dimensions is {given!r}", expected=f"an integer from 1 to {MAX_DIMENSIONS}")
    if limits.dimensions and given not in limits.dimensions:
        raise CallError(
            f"{model} makes no vectors of {given} dimensions",
            expected=" or ".join(map(str, sorted(limits.dimensions))),
        )
    return given


def _chosen_query_model(model: str, given: str | None) -> str:
    if given is not None and not share_space(model, given):
        raise CallError(
            f"Vectors of {given} cannot be compared with those of {model}",
            expected="two models of the voyage-4 family",
            next_step="leave out query_model",
        )
    return given or model


def _chosen_type(model: str, given: OutputType, limits: EmbeddingLimits) -> OutputType:
    if given not in OUTPUT_TYPES:
        raise CallError(f"output_type is {given!r}", expected=f"one of {', '.join(OUTPUT_TYPES)}")
    if given != "float" and not limits.quantized:
        raise CallError(f"{model} makes no vectors of type {given}", expected="output_type='float'")
    return given
