"""Embedding and reranking services: batches, order, retries, and keys that are never shown."""

from __future__ import annotations

import asyncio
import base64
import struct
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from bson.binary import Binary

from atlas_rag import CallError, Code, ReplyError, RetrievalError
from atlas_rag.embed.voyage import VoyageEmbedder, batches
from atlas_rag.rerank import Reranked
from atlas_rag.rerank.cohere import CohereReranker
from atlas_rag.rerank.voyage import VoyageReranker
from tests.support.http_fake import Answer, Service, serving

KEY = "pa-very-secret"
DOWN: Answer = (503, {"detail": "down"}, {})
voyageai = pytest.importorskip("voyageai")


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def time(self) -> float:
        return sum(self.waits)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def async_sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def number(text: str) -> float:
    return float(text.rsplit(" ", 1)[-1])


def voyage(path: str, body: dict[str, Any]) -> Answer:
    """Embeds a text as the number at its end; reranks by the same number."""
    if path.endswith("/rerank"):
        scored = [{"index": i, "relevance_score": number(t) / 10} for i, t in enumerate(body["documents"])]
        return 200, {"object": "list", "data": scored[::-1], "model": "m", "usage": {"total_tokens": 1}}, {}
    if path.endswith("/contextualizedembeddings"):
        data = [
            {
                "object": "list",
                "index": i,
                "data": [
                    {"object": "embedding", "index": j, "embedding": [number(t)]}
                    for j, t in enumerate(chunks)
                ],
            }
            for i, chunks in enumerate(body["inputs"])
        ]
        return 200, {"object": "list", "data": data, "model": "m", "usage": {"total_tokens": 1}}, {}
    pack = {"float": "<f", "int8": "<b", "ubinary": "<B"}[body.get("output_dtype") or "float"]
    data = [
        {
            "object": "embedding",
            "index": i,
            "embedding": base64.b64encode(struct.pack(pack, int(number(t)))).decode(),
        }
        for i, t in enumerate(body["input"])
    ]
    return 200, {"object": "list", "data": data, "model": "m", "usage": {"total_tokens": 1}}, {}


def cohere(path: str, body: dict[str, Any]) -> Answer:
    results = [{"index": i, "relevance_score": number(t) / 10} for i, t in enumerate(body["documents"])]
    return 200, {"id": "x", "results": results[::-1], "meta": {}}, {}


def failing(times: int, failure: Answer, then: Any) -> Any:
    """Fails so many times, then works."""
    left = [times]

    def answer(path: str, body: dict[str, Any]) -> Answer:
        if left[0]:
            left[0] -= 1
            return failure
        result: Answer = then(path, body)
        return result

    return answer


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(voyage) as running:
        yield running


def client(service: Service, kind: str = "Client") -> Any:
    return getattr(voyageai, kind)(api_key=KEY, base_url=service.url, max_retries=0)


def test_documents_come_back_in_order_over_several_batches(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-4", 256, client=client(service))
    texts = [f"text {i}" for i in range(2300)]
    assert [vector[0] for vector in embedder.embed_documents(texts)] == [float(i) for i in range(2300)]
    sizes = [len(body["input"]) for _, body, _ in service.requests]
    assert sizes == [1000, 1000, 300]
    assert {body["input_type"] for _, body, _ in service.requests} == {"document"}
    assert {body["output_dimension"] for _, body, _ in service.requests} == {256}


def test_a_question_has_its_own_input_type_and_an_id_of_its_space(service: Service) -> None:
    embedder = VoyageEmbedder("voyage-4", 512, client=client(service))
    assert list(embedder.embed_query("question 7")) == [7.0]
    assert service.requests[0][1]["input_type"] == "query"
    assert (embedder.id, embedder.dimensions) == ("voyage/voyage-4/512/float", 512)


@pytest.mark.parametrize(("kind", "head"), [("int8", b"\x03\x00"), ("ubinary", b"\x10\x00")])
def test_other_types_become_bindata(service: Service, kind: Any, head: bytes) -> None:
    vector = VoyageEmbedder(output_type=kind, client=client(service)).embed_query("x 5")
    assert isinstance(vector, Binary)
    assert bytes(vector) == head + b"\x05"


def test_chunks_stay_with_their_documents(service: Service) -> None:
    vectors = VoyageEmbedder(client=client(service)).embed_chunks([["a 1", "b 2"], ["c 3", "d 4"]])
    assert vectors == [[[1.0], [2.0]], [[3.0], [4.0]]]


def test_an_asynchronous_client_is_awaited(service: Service) -> None:
    async def both() -> tuple[Any, Any]:
        asynchronous = client(service, "AsyncClient")
        embedder, reranker = VoyageEmbedder(client=asynchronous), VoyageReranker(client=asynchronous)
        assert not embedder.blocking
        return await embedder.embed_query("x 3"), await reranker.rerank("q", ["a 1", "b 2"])

    vector, scores = asyncio.run(both())
    assert list(vector) == [3.0]
    assert sorted(scores) == [(0, 0.1), (1, 0.2)]


def test_batches_keep_within_tokens_and_refuse_empty_texts() -> None:
    assert [len(batch) for batch in batches(["abc" * 100] * 5, 210)] == [2, 2, 1]
    with pytest.raises(CallError, match="Text 1 is empty"):
        list(batches(["a", " "], 100))


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
    with serving(failing(2, failure, voyage)) as service:
        vector = VoyageEmbedder(client=client(service), clock=clock).embed_query("x 4")
    assert list(vector) == [4.0]
    assert clock.waits == waits


@pytest.mark.parametrize(
    "failure", [(401, {"detail": f"bad key {KEY}"}, {}), (400, {"detail": "no such model"}, {})]
)
def test_lasting_failures_are_not_tried_again_and_say_no_secret(failure: Answer) -> None:
    with serving(lambda *_: failure) as service, pytest.raises(RetrievalError) as caught:
        VoyageEmbedder(client=client(service)).embed_query("secret question")
    assert len(service.requests) == 1
    assert caught.value.code is Code.PROVIDER_FAILED
    for secret in (KEY, "secret question"):
        assert secret not in f"{caught.value} {caught.value!r}"


def test_patience_ends_after_the_attempts_given() -> None:
    with serving(lambda *_: DOWN) as service, pytest.raises(RetrievalError, match="after 3 requests"):
        VoyageReranker(client=client(service), attempts=3, clock=Clock()).rerank("q", ["a 1"])
    assert len(service.requests) == 3


def test_too_few_vectors_are_an_error() -> None:
    def one_short(path: str, body: dict[str, Any]) -> Answer:
        status, reply, headers = voyage(path, body)
        return status, {**reply, "data": reply["data"][:-1]}, headers

    with serving(one_short) as service, pytest.raises(ReplyError, match="1 vectors for 2"):
        VoyageEmbedder(client=client(service)).embed_documents(["a 1", "b 2"])


def test_cohere_scores_in_any_order_sync_and_async() -> None:
    async def asynchronous(url: str) -> Any:
        async with httpx.AsyncClient() as http:
            return await CohereReranker(api_key=KEY, base_url=url, client=http).rerank("q", ["a 1", "b 2"])

    with serving(cohere) as service:
        with httpx.Client() as http:
            scores = CohereReranker(api_key=KEY, base_url=service.url, client=http).rerank(
                "q", ["a 1", "b 2"]
            )
        assert sorted(scores) == sorted(asyncio.run(asynchronous(service.url)))
    assert sorted(scores) == [Reranked(0, 0.1), Reranked(1, 0.2)]
    path, body, headers = service.requests[0]
    assert path == "/v2/rerank"
    assert body == {"model": "rerank-v3.5", "query": "q", "documents": ["a 1", "b 2"], "top_n": 2}
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_cohere_waits_as_long_as_it_is_asked_to() -> None:
    clock = Clock()
    with serving(failing(1, (429, {}, {"retry-after": "3"}), cohere)) as service, httpx.Client() as http:
        CohereReranker(api_key=KEY, base_url=service.url, client=http, clock=clock).rerank("q", ["a 1"])
    assert clock.waits == [3.0]


def test_keys_are_never_shown(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CO_API_KEY", KEY)
    with httpx.Client() as http:
        shown = [
            VoyageEmbedder(client=client(service)),
            VoyageReranker(client=client(service)),
            CohereReranker(client=http),
        ]
        assert KEY not in repr(shown)
    monkeypatch.delenv("CO_API_KEY")
    with pytest.raises(CallError, match="no key"):
        CohereReranker()
