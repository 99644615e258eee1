"""`as_embedder`: what other libraries and functions become, what is guessed of them, what is refused."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

from atlas_rag import CallError, Code, HashingEmbedder, ReplyError, RetrievalError, as_embedder
from atlas_rag.embed import EmbeddedQuestion, embed_question, embed_texts, known_dimensions
from atlas_rag.loading import load
from atlas_rag.wire import adrive, drive

NOWHERE: Any = None
HERE = __name__


def vector(text: str, dimensions: int = 4) -> list[float]:
    return [float(len(text)), *[1.0] * (dimensions - 1)]


class LangChain:
    """The methods that LangChain's `Embeddings` have."""

    model = "text-embedding-3-small"
    api_key = "sk-secret"

    def embed_query(self, text: str) -> list[float]:
        return vector(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        return [*vector(text)[:-1], 2.0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[*vector(text)[:-1], 2.0] for text in texts]


class OnlyAwaited:
    model_name = "fast"
    dimensions = 4

    async def aembed_query(self, text: str) -> list[float]:
        return vector(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]


class AwaitedNames:
    """Awaited methods under the plain names."""

    async def embed_query(self, text: str) -> list[float]:
        return vector(text)

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [vector(text) for text in texts]


class LlamaIndex:
    model_name = "unknown"
    embed_dim = 4

    def get_query_embedding(self, query: str) -> list[float]:
        return vector(query)

    def get_text_embedding(self, text: str) -> list[float]:
        return vector(text)


class SentenceTransformers:
    """Two-dimensional arrays, a method that tells the length, and the model deep inside."""

    class ModelCard:
        base_model = "sentence-transformers/all-MiniLM-L6-v2"

    model_card_data = ModelCard()

    def encode(self, texts: Any) -> Any:
        return np.array(
            vector(texts) if isinstance(texts, str) else [vector(text) for text in texts], np.float32
        )

    def get_sentence_embedding_dimension(self) -> int:
        return 4


class Asymmetric(SentenceTransformers):
    def encode_query(self, text: str) -> Any:
        return self.encode(f"query: {text}")

    def encode_document(self, texts: list[str]) -> Any:
        return self.encode([f"passage: {text}" for text in texts])


class Callable_:  # noqa: N801
    model = "mine"

    def __call__(self, text: str) -> list[float]:
        return vector(text)

    def method(self, text: str) -> list[float]:
        return vector(text)


class WithoutBlocking(HashingEmbedder):
    """What somebody writes after the protocol, but for `blocking`."""

    blocking = None  # type: ignore[assignment]


def of_one(text: str) -> list[float]:
    return vector(text)


def of_many(texts: list[str]) -> list[list[float]]:
    return [vector(text) for text in texts]


def said_by_its_annotation(given: Sequence[str]) -> Any:
    return np.array([vector(text) for text in given])


async def awaited_of_one(text: str) -> list[float]:
    return vector(text)


async def awaited_of_many(texts: list[str]) -> list[list[float]]:
    return [vector(text) for text in texts]


def of_model(text: str, model: str, api_key: str) -> list[float]:
    return vector(text)


PLAIN: dict[str, tuple[Any, str]] = {
    "langchain": (LangChain(), "LangChain/text-embedding-3-small"),
    "llama_index": (LlamaIndex(), "LlamaIndex/4"),
    "sentence_transformers": (
        SentenceTransformers(),
        "SentenceTransformers/sentence-transformers/all-MiniLM-L6-v2/4",
    ),
    "function": (of_one, f"{HERE}.of_one"),
    "function of texts": (of_many, f"{HERE}.of_many"),
    "annotated": (said_by_its_annotation, f"{HERE}.said_by_its_annotation"),
    "partial": (partial(of_model, model="m-1", api_key="sk-secret"), f"{HERE}.of_model/m-1"),
    "callable": (Callable_(), "Callable_/mine"),
    "bound method": (Callable_().method, "Callable_/mine.method"),
}
AWAITED: dict[str, tuple[Any, str]] = {
    "awaited methods": (OnlyAwaited(), "OnlyAwaited/fast/4"),
    "awaited names": (AwaitedNames(), "AwaitedNames"),
    "coroutine function": (awaited_of_one, f"{HERE}.awaited_of_one"),
    "coroutine function of texts": (awaited_of_many, f"{HERE}.awaited_of_many"),
}


@pytest.mark.parametrize(("value", "name"), PLAIN.values(), ids=PLAIN)
def test_what_is_called_becomes_a_blocking_embedder(value: Any, name: str) -> None:
    embedder = as_embedder(value)
    assert (embedder.id, embedder.blocking) == (name, True)
    assert list(embedder.embed_query("four")) == [4, 1, 1, 1]
    assert [list(one) for one in embedder.embed_documents(["a", "bb"])] == [[1, 1, 1, 1], [2, 1, 1, 1]]
    assert embedder.dimensions == 4
    assert "sk-secret" not in repr(embedder)


@pytest.mark.parametrize(("value", "name"), AWAITED.values(), ids=AWAITED)
async def test_what_is_awaited_does_not_block(value: Any, name: str) -> None:
    embedder = as_embedder(value)
    assert (embedder.id, embedder.blocking) == (name, False)
    assert await embedder.embed_query("four") == [4, 1, 1, 1]
    assert await embedder.embed_documents(["a", "bb"]) == [[1, 1, 1, 1], [2, 1, 1, 1]]
    assert "awaited" in repr(embedder)


def test_questions_and_documents_go_to_methods_of_their_own() -> None:
    embedder = as_embedder(Asymmetric())
    assert embedder.embed_query("a")[0] == len("query: a")
    assert embedder.embed_documents(["a"])[0][0] == len("passage: a")


async def test_where_there_are_both_kinds_the_retriever_chooses() -> None:
    assert as_embedder(LangChain()).embed_query("a")[-1] == 1
    assert as_embedder(LangChain(), asynchronous=False).blocking
    awaited = as_embedder(LangChain(), asynchronous=True)
    assert not awaited.blocking
    assert (await awaited.embed_query("a"))[-1] == 2
    assert as_embedder(of_one, asynchronous=True).blocking
    with pytest.raises(CallError, match="AsyncRetriever"):
        as_embedder(OnlyAwaited(), asynchronous=False)


def test_every_guess_is_shown_and_can_be_told() -> None:
    embedder = as_embedder(lambda text: vector(text, 8), id="mine/1", dimensions=8, blocking=False)
    assert repr(embedder) == "AdaptedEmbedder('mine/1', a function of one text, 8 dimensions, quick)"
    unknown = as_embedder(LangChain())
    assert repr(unknown) == (
        "AdaptedEmbedder('LangChain/text-embedding-3-small', embed_query and embed_documents, "
        "dimensions not known yet, blocking)"
    )
    many = as_embedder(lambda given: [vector(one) for one in given], many=True)
    assert many.embed_query("abc") == vector("abc")


def test_an_embedder_is_left_as_it_is_unless_told_otherwise() -> None:
    embedder = HashingEmbedder(16)
    assert as_embedder(embedder) is embedder
    assert as_embedder(as_embedder(of_one)).id == f"{HERE}.of_one"
    renamed = as_embedder(embedder, id="mine")
    assert (renamed.id, renamed.dimensions, renamed.blocking) == ("mine", 16, False)
    assert renamed.embed_query("a") == embedder.embed_query("a")


def test_an_embedder_without_blocking_keeps_its_id_and_is_run_in_a_thread() -> None:
    embedder = as_embedder(WithoutBlocking(16))
    assert (embedder.id, embedder.dimensions, embedder.blocking) == ("atlas-rag-hashing-1/16", 16, True)


def test_an_embedder_of_questions_only_is_one_for_retrievers() -> None:
    class OfQuestions:
        id, dimensions, blocking = "mine", 4, False

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    embedder = OfQuestions()
    assert as_embedder(embedder) is embedder
    with pytest.raises(CallError, match="'mine' embeds questions only"):
        drive(load("app.docs", [], embedder), NOWHERE)


def test_what_wraps_a_function_is_named_after_it() -> None:
    assert as_embedder(lru_cache(of_one)).id == f"{HERE}.of_one"
    assert as_embedder(LangChain().embed_query).id == "LangChain/text-embedding-3-small.embed_query"


def test_ids_name_models_on_any_machine_and_adapters_travel() -> None:
    class Local:
        model_name = "/home/somebody/models/tiny"
        encode = SentenceTransformers.encode

    assert as_embedder(Local()).id == "Local/tiny"
    for value in (LangChain(), LlamaIndex(), of_one, of_many):
        again = pickle.loads(pickle.dumps(as_embedder(value)))
        assert again.embed_query("abc") == vector("abc")
        assert again.id == as_embedder(value).id


class Tokenizer:
    def encode(self, text: str) -> list[int]:
        return [1, 2]

    def decode(self, tokens: list[int]) -> str:
        return ""


class Half:
    def embed_query(self, text: str) -> list[float]:
        return vector(text)


class OtherHalf:
    def get_text_embedding(self, text: str) -> list[float]:
        return vector(text)


class Misspelt:
    def embed_querys(self, text: str) -> list[float]:
        return vector(text)


def of_two(question: str, document: str) -> list[float]:
    return vector(question)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "A NoneType cannot embed"),
        ("text-embedding-3-small", "A str cannot embed"),
        (HashingEmbedder, r"the class HashingEmbedder.*pass HashingEmbedder\(…\)"),
        (LangChain, "the class LangChain"),
        (Tokenizer(), "A Tokenizer cannot embed"),
        (Half(), "it has embed_query, but not embed_documents"),
        (OtherHalf(), "it has get_text_embedding, but not get_query_embedding"),
        (Misspelt(), "it has embed_querys; embed_query is needed"),
        (object(), "an object.*or a function"),
        (of_two, "takes .*one argument"),
    ],
    ids=[
        "none",
        "string",
        "class",
        "foreign class",
        "tokenizer",
        "half",
        "other half",
        "misspelt",
        "object",
        "two",
    ],
)
def test_what_cannot_embed_is_refused_with_the_nearest_that_can(value: Any, said: str) -> None:
    with pytest.raises(CallError, match=f"(?s){said}") as caught:
        as_embedder(value)
    assert caught.value.code is Code.INVALID_OPTION
    assert caught.value.expected
    assert caught.value.next_step
    assert "text-embedding" not in str(caught.value)


def test_the_client_of_a_provider_is_told_its_embedder() -> None:
    voyageai = pytest.importorskip("voyageai")
    with pytest.raises(CallError, match=r"VoyageEmbedder\(client=…\)"):
        as_embedder(voyageai.Client(api_key="pa-secret"))


@pytest.mark.parametrize(
    ("embed", "said"),
    [
        (lambda texts: [vector("a")], "1 vectors for 2 texts"),
        (lambda texts: [vector("a"), vector("a", 5)], "5 dimensions"),
    ],
)
def test_answers_that_do_not_fit_are_errors(embed: Callable[[list[str]], Any], said: str) -> None:
    with pytest.raises(ReplyError, match=said):
        as_embedder(embed).embed_documents(["a", "b"])


@pytest.mark.parametrize("answer", [[], ["a"], [[1.0]], [float("nan")], None], ids=str)
def test_what_is_no_vector_is_refused(answer: Any) -> None:
    with pytest.raises(CallError) as caught:
        as_embedder(lambda text: answer).embed_query("a")
    assert caught.value.code is Code.INVALID_VECTOR


# ---------------------------------------------------------------- in a flow


def test_a_question_comes_back_as_a_vector_with_its_usage() -> None:
    found = drive(embed_question(as_embedder(of_one), "abc"), NOWHERE)
    assert (found.vector.dimensions, found.usage.requests) == (4, 0)
    assert "vector" not in repr(found).lower().replace("embeddedquestion", "")


@pytest.mark.parametrize(
    "value",
    [LangChain(), AwaitedNames(), awaited_of_one, of_many],
    ids=["LangChain", "AwaitedNames", "awaited_of_one", "of_many"],
)
async def test_a_flow_takes_either_kind(value: Any) -> None:
    embedder = as_embedder(value, asynchronous=True)
    found: EmbeddedQuestion = await adrive(embed_question(embedder, "abc"), NOWHERE)
    assert found.vector.dimensions == 4
    assert len(await adrive(embed_texts(embedder, ["a", "b"]), NOWHERE)) == 2
    assert await adrive(known_dimensions(as_embedder(value)), NOWHERE) == 4


def test_whatever_a_provider_raises_is_one_error_with_its_cause() -> None:
    def broken(text: str) -> list[float]:
        raise ValueError(f"cannot embed {text}")

    for ask in (embed_question(as_embedder(broken), "secret"), embed_texts(as_embedder(broken), ["secret"])):
        with pytest.raises(RetrievalError, match=r"broken' failed after 1 request \(ValueError\)") as caught:
            drive(ask, NOWHERE)
        assert caught.value.code is Code.PROVIDER_FAILED
        assert isinstance(caught.value.__cause__, ValueError)
        assert "secret" not in f"{caught.value} {caught.value!r}"


def test_errors_of_this_library_pass_as_they_are() -> None:
    with pytest.raises(CallError, match="AsyncRetriever"):
        drive(embed_question(as_embedder(awaited_of_one), "a"), NOWHERE)
    with pytest.raises(ReplyError):
        drive(embed_texts(as_embedder(lambda texts: []), ["a"]), NOWHERE)


def test_half_a_character_is_refused_before_an_embedder_sees_it() -> None:
    seen: list[str] = []
    embedder = as_embedder(lambda text: seen.append(text) or vector(text))
    for ask in (embed_question(embedder, "cut \ud83d"), embed_texts(embedder, ["ok", "\udc00 cut"])):
        with pytest.raises(CallError, match=r"half a character \(U\+D[8C]"):
            drive(ask, NOWHERE)
    assert seen == []


def test_cancelling_reaches_an_awaited_embedder() -> None:
    async def forever(text: str) -> list[float]:
        await asyncio.Event().wait()
        return vector(text)

    async def work() -> None:
        async with asyncio.timeout(0.01):
            await adrive(embed_question(as_embedder(forever), "a"), NOWHERE)

    with pytest.raises(TimeoutError):
        asyncio.run(work())


# ---------------------------------------------------------------- the libraries themselves


def test_the_embeddings_of_langchain() -> None:
    embeddings = pytest.importorskip("langchain_core.embeddings")
    embedder = as_embedder(embeddings.DeterministicFakeEmbedding(size=12))
    assert (embedder.id, embedder.blocking) == ("DeterministicFakeEmbedding", True)
    assert len(embedder.embed_query("a")) == embedder.dimensions == 12
    awaited = as_embedder(embeddings.DeterministicFakeEmbedding(size=12), asynchronous=True)
    assert asyncio.run(awaited.embed_documents(["a", "b"]))[0] == embedder.embed_query("a")  # type: ignore[arg-type]


def test_the_embeddings_of_llama_index() -> None:
    core = pytest.importorskip("llama_index.core")
    embedder = as_embedder(core.MockEmbedding(embed_dim=12, model_name="mock-1"))
    assert (embedder.id, embedder.dimensions) == ("MockEmbedding/mock-1/12", 12)
    assert len(embedder.embed_query("a")) == 12
    assert [len(one) for one in embedder.embed_documents(["a", "b"])] == [12, 12]
