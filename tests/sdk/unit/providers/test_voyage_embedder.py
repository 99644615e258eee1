"""Voyage AI embeddings: batches, types, chunks, images, usage, retries, and keys that are never shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from bson.binary import Binary

from atlas_rag import CallError, Code, ReplyError, RetrievalError, Usage, VoyageEmbedder, as_vector, metered
from atlas_rag.providers.limits import VOYAGE_EMBEDDING, embedding_limits
from tests.sdk.unit.providers.services import DOWN, KEY, Clock, client, failing, voyageai
from tests.support import voyage_fake
from tests.support.http_fake import Answer, Service, serving

PACKED = {"int8": 0x03, "binary": 0x10, "ubinary": 0x10}


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(voyage_fake.answer) as running:
        yield running


def sent(service: Service, key: str) -> list[Any]:
    return [body[key] for _, body, _ in service.requests]


def test_documents_come_back_in_order_over_several_batches(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-4", 256, client=client(service))
    texts = [f"text {i}" for i in range(2300)]
    vectors = np.array(embedder.embed_documents(texts))
    assert np.allclose(vectors, [voyage_fake.hashed(text, 256) for text in texts], atol=1e-6)
    assert [len(batch) for batch in sent(service, "input")] == [1000, 1000, 300]
    assert set(sent(service, "input_type")) == {"document"}
    assert set(sent(service, "output_dimension")) == {256}


def test_a_question_has_its_own_input_type_and_an_id_of_its_space(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-4", 512, client=client(service))
    assert len(embedder.embed_query("a question")) == 512
    assert sent(service, "input_type") == ["query"]
    assert (embedder.id, embedder.dimensions) == ("voyage/voyage-4/512/float", 512)
    assert repr(embedder) == "VoyageEmbedder('voyage/voyage-4/512/float')"


def test_questions_may_be_embedded_by_a_smaller_model_of_the_same_space(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-4-large", query_model="voyage-4-lite", client=client(service))
    embedder.embed_documents(["a document"])
    embedder.embed_query("a question")
    assert sent(service, "model") == ["voyage-4-large", "voyage-4-lite"]
    assert embedder.id == "voyage/voyage-4-large/1024/float"


@pytest.mark.parametrize("kind", ["int8", "binary", "ubinary"])
def test_small_types_become_bindata(service: Service, kind: Any) -> None:
    vector = VoyageEmbedder(dimensions=256, output_type=kind, client=client(service)).embed_query(
        "one two three"
    )
    floats = voyage_fake.hashed("one two three", 256)
    expected = voyage_fake.typed(floats, "int8" if kind == "int8" else "ubinary")
    assert isinstance(vector, Binary)
    assert bytes(vector) == bytes([PACKED[kind], 0]) + expected.tobytes()
    assert as_vector(vector).dimensions == 256


def test_unsigned_bytes_have_no_bindata_type_and_stay_numbers(service: Service) -> None:
    vector = VoyageEmbedder(dimensions=256, output_type="uint8", client=client(service)).embed_query(
        "one two"
    )
    assert list(vector) == voyage_fake.typed(voyage_fake.hashed("one two", 256), "uint8").tolist()
    assert as_vector(vector).dtype == "float32"


@pytest.mark.parametrize("model", ["voyage-law-2", "voyage-multimodal-3"])
def test_models_without_a_choice_are_not_asked_for_one(service: Service, model: str) -> None:
    embedder = VoyageEmbedder(model, client=client(service))
    assert len(embedder.embed_query("a question")) == embedder.dimensions == 1024
    with pytest.raises(CallError, match="Expected: 1024"):
        VoyageEmbedder(model, 512, client=client(service))
    with pytest.raises(CallError, match="float"):
        VoyageEmbedder(model, output_type="int8", client=client(service))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"dimensions": 300}, "256 or 512 or 1024 or 2048"),
        ({"dimensions": True}, "an integer"),
        ({"model": "voyage-9", "dimensions": 9000}, "1 to 8192"),
        ({"output_type": "int4"}, "one of float, int8"),
        ({"model": "voyage-context-4", "truncation": False}, "knows no truncation"),
        ({"query_model": "voyage-3.5-lite"}, "cannot be compared"),
        ({"client": 5}, "a voyageai.Client"),
        ({"client": voyageai.Client}, "The client is the class Client"),
    ],
    ids=str,
)
def test_options_that_cannot_be_are_refused_before_anything_is_sent(
    service: Service, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(CallError, match=said):
        VoyageEmbedder(**{"client": client(service), **options})


def test_a_new_model_may_have_any_length_and_the_least_limits() -> None:
    assert embedding_limits("voyage-9").tokens == min(
        one.tokens for name, one in VOYAGE_EMBEDDING.items() if "context" not in name
    )
    assert embedding_limits("voyage-context-9").endpoint == "chunks"
    assert embedding_limits("voyage-multimodal-9").endpoint == "media"


def test_batches_keep_within_the_tokens_of_the_model(service: Service) -> None:
    texts = ["word " * 30_000] * 12
    for model in ("voyage-4", "voyage-4-lite"):
        VoyageEmbedder(model, 256, client=client(service)).embed_documents(texts)
    sizes = [len(batch) for batch in sent(service, "input")]
    assert sizes == [6, 6, 12]


def test_truncation_is_told_to_the_service(service: Service) -> None:
    long = "word " * 40_000
    assert VoyageEmbedder(client=client(service)).embed_query(long)
    with pytest.raises(RetrievalError, match="correct the request"):
        VoyageEmbedder(truncation=False, client=client(service)).embed_query(long)
    assert sent(service, "truncation") == [True, False]


def test_chunks_stay_with_their_documents_in_batches(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-context-4", 256, client=client(service))
    documents = [[f"{i} first", f"{i} second"] for i in range(1100)] + [["long " * 20_000]] * 2
    vectors = embedder.embed_chunks(documents)
    assert [len(chunks) for chunks in vectors] == [len(chunks) for chunks in documents]
    assert np.allclose(vectors[7][1], voyage_fake.hashed("7 second 7 first 7 second", 256), atol=1e-6)
    assert [len(batch) for batch in sent(service, "inputs")] == [1000, 100, 1, 1]
    assert embedder.id == "voyage/voyage-context-4/256/float"


def test_questions_to_chunks_are_embedded_by_the_model_of_the_chunks(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-context-4", 256, client=client(service))
    assert len(embedder.embed_query("which one?")) == 256
    assert len(embedder.embed_documents(["one", "two"])) == 2
    assert sent(service, "inputs") == [[["which one?"]], [["one"], ["two"]]]
    assert sent(service, "input_type") == ["query", "document"]
    assert {path for path, _, _ in service.requests} == {"/contextualizedembeddings"}


def test_texts_with_images_have_vectors_of_one_space(service: Service) -> None:
    from PIL import Image

    embedder = VoyageEmbedder("voyage-multimodal-3.5", 512, client=client(service))
    vectors = embedder.embed_media([["a banana", Image.new("RGB", (8, 8))], "an apple"])
    assert np.allclose(vectors[1], voyage_fake.hashed("an apple", 512), atol=1e-6)
    assert np.allclose(vectors[1], embedder.embed_query("an apple"))
    assert sent(service, "input_type") == ["document", "query"]
    assert embedder.usage.pixels == voyage_fake.PIXELS
    url = {"content": [{"type": "image_url", "image_url": "https://example.org/banana.png"}]}
    assert len(embedder.embed_media([url], query=True)[0]) == 512


@pytest.mark.parametrize(
    ("method", "given", "model"),
    [("embed_chunks", [["a"]], "voyage-context-4"), ("embed_media", [["a"]], "voyage-multimodal-3.5")],
)
def test_a_model_that_cannot_names_one_that_can(
    service: Service, method: str, given: Any, model: str
) -> None:
    with pytest.raises(CallError, match=model):
        getattr(VoyageEmbedder("voyage-4", client=client(service)), method)(given)
    assert service.requests == []


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("text", "one str"),
        ([["a"], {"content": [{"type": "text", "text": "b"}]}], "Input 1 is a dict, input 0 a list"),
        ([[]], "Input 0 is empty"),
        ([5], "Input 0 is a int"),
        ([["a", " "]], "Input 0, part 1 is empty"),
        ([{"contents": []}], "Input 0 has no content"),
    ],
    ids=["string", "mixed", "empty", "number", "blank", "misspelt"],
)
def test_inputs_that_cannot_be_are_named_and_not_sent(service: Service, inputs: Any, said: str) -> None:
    with pytest.raises(CallError, match=said):
        VoyageEmbedder("voyage-multimodal-3.5", client=client(service)).embed_media(inputs)
    assert service.requests == []


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda one: one.embed_documents(["a", " "]), "Text 1 is empty"),
        (lambda one: one.embed_documents("text"), "one string"),
        (lambda one: one.embed_documents(["a", None]), "Text 1 is a NoneType"),
        (lambda one: one.embed_query(""), "The question is empty"),
        (lambda one: one.embed_query("cut \ud83d"), "half a character .* at position 4"),
        (lambda one: one.embed_chunks([["a"], []]), "Document 1 has no chunk"),
        (lambda one: one.embed_chunks([["a"], ["b", ""]]), "Document 1, chunk 1 is empty"),
    ],
    ids=["empty", "string", "none", "question", "surrogate", "no chunk", "empty chunk"],
)
def test_texts_that_cannot_be_embedded_are_named_and_not_sent(service: Service, ask: Any, said: str) -> None:
    with pytest.raises(CallError, match=said):
        ask(VoyageEmbedder("voyage-context-4", client=client(service)))
    assert service.requests == []


def test_usage_is_counted_over_batches_and_by_whoever_asks(service: Service) -> None:
    embedder = VoyageEmbedder(client=client(service))
    with metered() as meter:
        embedder.embed_documents(["two words"] * 1001)
    embedder.embed_query("three more words")
    assert meter.usage == Usage(requests=2, tokens=2002)
    assert embedder.usage == Usage(requests=3, tokens=2005)


def test_an_asynchronous_client_is_awaited_and_counted(service: Service) -> None:
    embedder = VoyageEmbedder(dimensions=256, client=client(service, "AsyncClient"))

    async def ask(text: str) -> tuple[Any, Usage]:
        with metered() as meter:
            return await embedder.embed_query(text), meter.usage

    async def both() -> Any:
        return await asyncio.gather(ask("one"), ask("one two"))

    assert not embedder.blocking
    answers = asyncio.run(both())
    assert [usage.tokens for _, usage in answers] == [1, 2]
    assert np.allclose(answers[0][0], voyage_fake.hashed("one", 256), atol=1e-6)


@pytest.mark.parametrize(
    ("failure", "waits"),
    [
        ((429, {"detail": "slow down"}, {"Retry-After": "7"}), [7.0, 7.0]),
        (DOWN, [0.5, 1.0]),
        ((500, {"detail": "oops"}, {}), [0.5, 1.0]),
    ],
    ids=["429 with Retry-After", "503", "500"],
)
def test_passing_failures_are_tried_again_as_long_as_the_service_asks(
    failure: Answer, waits: list[float]
) -> None:
    clock = Clock()
    with serving(failing(2, failure, voyage_fake.answer)) as service:
        vector = VoyageEmbedder(client=client(service), clock=clock).embed_query("a text")
    assert len(vector) == 1024
    assert clock.waits == waits


@pytest.mark.parametrize(
    ("failure", "remedy"),
    [
        ((401, {"detail": f"bad key {KEY}"}, {}), "the key"),
        ((400, {"detail": "no such model"}, {}), "the request"),
    ],
)
def test_lasting_failures_are_not_tried_again_and_say_no_secret(failure: Answer, remedy: str) -> None:
    with serving(lambda *_: failure) as service, pytest.raises(RetrievalError, match=remedy) as caught:
        VoyageEmbedder(client=client(service)).embed_query("secret question")
    assert len(service.requests) == 1
    assert caught.value.code is Code.PROVIDER_FAILED
    for secret in (KEY, "secret question"):
        assert secret not in f"{caught.value} {caught.value!r}"


def test_too_few_vectors_and_vectors_of_another_length_are_errors() -> None:
    def one_short(path: str, body: dict[str, Any]) -> Answer:
        status, reply, headers = voyage_fake.answer(path, body)
        return status, {**reply, "data": reply["data"][:-1]}, headers

    def shorter(path: str, body: dict[str, Any]) -> Answer:
        return voyage_fake.answer(path, body | {"output_dimension": 256})

    with serving(one_short) as service, pytest.raises(ReplyError, match="1 vectors for 2"):
        VoyageEmbedder(client=client(service)).embed_documents(["a 1", "b 2"])
    with serving(shorter) as service, pytest.raises(ReplyError, match=r"256 dimensions\. Expected: 1024"):
        VoyageEmbedder(client=client(service)).embed_query("a")


def test_no_key_is_said_at_once_and_keys_are_never_shown(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert KEY not in repr(VoyageEmbedder(client=client(service)))
    monkeypatch.delenv("VOYAGE_API_KEY", raising=False)
    with pytest.raises(CallError, match="VOYAGE_API_KEY"):
        VoyageEmbedder()
    monkeypatch.setenv("VOYAGE_API_KEY", KEY)
    assert KEY not in repr(VoyageEmbedder())
