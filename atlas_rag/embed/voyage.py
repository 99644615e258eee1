"""Voyage AI embeddings through the official client: batched, in order, with this library's own retries."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from functools import partial
from typing import Any, Literal

from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.errors import CallError, ReplyError
from atlas_rag.providers.retry import persistently
from atlas_rag.providers.voyage import VoyageClient, read_failure
from atlas_rag.wire import Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK, Clock

MAX_TEXTS = 1000
MAX_TOKENS = {
    "voyage-4-lite": 1_000_000,
    "voyage-3.5-lite": 1_000_000,
    "voyage-4": 320_000,
    "voyage-3.5": 320_000,
}
LEAST_MAX_TOKENS = 120_000
"""Texts and tokens of one request. Source: Voyage AI documentation, embeddings, limits."""
BYTES_PER_TOKEN = 3
"""Cautious: no tokenizer is asked, since the official one would be downloaded."""

OutputType = Literal["float", "int8", "ubinary"]


class VoyageEmbedder:
    """Embeds queries and documents with their own input types.

    Args:
        model: such as "voyage-4"; models of one family share a vector space.
        dimensions: 256, 512, 1024 or 2048 where the model offers a choice.
        output_type: float (default), or int8 or ubinary, which become BinData of that dtype.
        client: a `voyageai.Client` or `voyageai.AsyncClient`; None makes a synchronous one.
        attempts: requests at most for one batch. timeout: seconds for one request of a client made here.

    Raises:
        RetrievalError: PROVIDER_FAILED. ReplyError: if not every text got a vector.
    """

    def __init__(
        self,
        model: str = "voyage-4",
        dimensions: int = 1024,
        *,
        output_type: OutputType = "float",
        client: Any = None,
        attempts: int = 4,
        timeout: float = 30.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        if output_type not in ("float", "int8", "ubinary"):
            raise CallError(f"output_type is {output_type!r}", expected="float, int8 or ubinary")
        self._model = model
        self._dimensions = dimensions
        self._output_type = output_type
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

    def __repr__(self) -> str:
        return f"VoyageEmbedder({self.id!r})"

    def embed_query(self, text: str) -> Any | Awaitable[Any]:
        """The vector of one question (input type "query")."""
        return self._voyage.run(self._first(self._embed([text], "query")))

    def embed_documents(self, texts: Sequence[str]) -> Any | Awaitable[Any]:
        """One vector per text, in order (input type "document")."""
        return self._voyage.run(self._embed(list(texts), "document"))

    def embed_chunks(self, documents: Sequence[Sequence[str]], model: str = "voyage-context-4") -> Any:
        """Vectors of chunks that know their document: one list per document, in order."""
        return self._voyage.run(self._contextualized([list(chunks) for chunks in documents], model))

    def _first(self, steps: Flow[list[Any]]) -> Flow[Any]:
        return (yield from steps)[0]

    def _embed(self, texts: list[str], input_type: str) -> Flow[list[Any]]:
        vectors: list[Any] = []
        for batch in batches(texts, MAX_TOKENS.get(self._model, LEAST_MAX_TOKENS)):
            request = partial(
                self._voyage.client.embed,
                batch,
                model=self._model,
                input_type=input_type,
                output_dtype=self._output_type,
                output_dimension=self._dimensions,
            )
            answer = yield from persistently("Voyage AI embed", request, read_failure, self._voyage.attempts)
            _check(len(answer.embeddings), len(batch))
            vectors += map(self._as_bson, answer.embeddings)
        return vectors

    def _contextualized(self, documents: list[list[str]], model: str) -> Flow[list[list[Any]]]:
        request = partial(
            self._voyage.client.contextualized_embed,
            documents,
            model=model,
            input_type="document",
            output_dtype=self._output_type,
            output_dimension=self._dimensions,
        )
        answer = yield from persistently("Voyage AI embed", request, read_failure, self._voyage.attempts)
        results = answer.results  # the official client numbers them as they arrive
        _check(len(results), len(documents))
        for result, chunks in zip(results, documents, strict=True):
            _check(len(result.embeddings), len(chunks))
        return [[self._as_bson(vector) for vector in result.embeddings] for result in results]

    def _as_bson(self, vector: Any) -> Any:
        if self._output_type == "int8":
            return Binary.from_vector(list(vector), BinaryVectorDtype.INT8)
        if self._output_type == "ubinary":
            return Binary.from_vector(list(vector), BinaryVectorDtype.PACKED_BIT)
        return vector


def batches(texts: Sequence[str], max_tokens: int) -> Iterator[list[str]]:
    """The texts in order, no batch beyond the limits of one request; an empty text is refused."""
    batch: list[str] = []
    spent = 0
    for position, text in enumerate(texts):
        if not text.strip():
            raise CallError(f"Text {position} is empty", expected="text", next_step="leave it out")
        tokens = len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1
        if batch and (len(batch) == MAX_TEXTS or spent + tokens > max_tokens):
            yield batch
            batch, spent = [], 0
        batch.append(text)
        spent += tokens
    if batch:
        yield batch


def _check(got: int, asked: int) -> None:
    if got != asked:
        raise ReplyError(f"Voyage AI returned {got} vectors for {asked} texts", expected="one each")
