"""Reranking services: within their limits, in any order of answers, tried again, and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from atlas_rag import (
    CallError,
    CohereReranker,
    ReplyError,
    Reranked,
    RetrievalError,
    Usage,
    VoyageReranker,
    as_reranker,
    metered,
)
from tests.sdk.unit.providers.services import DOWN, KEY, Clock, client, failing, voyageai
from tests.support import voyage_fake
from tests.support.http_fake import Answer, Service, serving

TEXTS = ["about something else", "refunds take days", "how refunds take five days"]
QUESTION = "how long do refunds take"


@pytest.fixture
def service() -> Iterator[Service]:
    with serving(voyage_fake.answer) as running:
        yield running


def cohere(path: str, body: dict[str, Any]) -> Answer:
    asked = set(voyage_fake.words(body["query"]))
    scores = [len(asked & set(voyage_fake.words(text))) / 10 for text in body["documents"]]
    results = [{"index": i, "relevance_score": score} for i, score in enumerate(scores)]
    return 200, {"id": "x", "results": results[::-1], "meta": {"billed_units": {"search_units": 1}}}, {}


def make(kind: str, url: str, **options: Any) -> Any:
    if kind == "cohere":
        return CohereReranker(api_key=KEY, base_url=url, **options)
    return VoyageReranker(client=voyageai.Client(api_key=KEY, base_url=url), **options)


SERVICES = {"voyage": voyage_fake.answer, "cohere": cohere}
KINDS = pytest.mark.parametrize("kind", list(SERVICES))


@KINDS
def test_every_text_has_its_score_whatever_the_order_of_the_answer(kind: str) -> None:
    with serving(SERVICES[kind]) as service:
        scores = dict(make(kind, service.url).rerank(QUESTION, TEXTS))
    assert sorted(scores, key=lambda position: -scores[position]) == [2, 1, 0]


@KINDS
def test_empty_texts_are_not_sent_and_get_no_score(kind: str) -> None:
    with serving(SERVICES[kind]) as service:
        reranker = make(kind, service.url)
        assert sorted(dict(reranker.rerank(QUESTION, ["", *TEXTS, " "]))) == [1, 2, 3]
        assert reranker.rerank(QUESTION, ["", " "]) == []
    assert [body["documents"] for _, body, _ in service.requests] == [TEXTS]


@KINDS
@pytest.mark.parametrize(
    ("query", "texts", "said"),
    [
        (QUESTION, ["a"] * 1001, "at most 1000.*fewer candidates"),
        (" ", ["a"], "The question is empty"),
        ("cut \ud83d", ["a"], "half a character"),
        (QUESTION, ["a", "\udc00"], "Text 1 holds half a character"),
        (QUESTION, "text", "one string"),
    ],
    ids=["too many", "empty", "half a question", "half a text", "string"],
)
def test_what_cannot_be_reranked_is_told_before_it_is_sent(
    kind: str, query: str, texts: Any, said: str
) -> None:
    with serving(SERVICES[kind]) as service, pytest.raises(CallError, match=said):
        make(kind, service.url).rerank(query, texts)
    assert service.requests == []


@KINDS
def test_usage_is_counted(kind: str) -> None:
    with serving(SERVICES[kind]) as service, metered() as meter:
        reranker = make(kind, service.url)
        reranker.rerank("two words", ["one", "two three"])
    expected = Usage(requests=1, search_units=1) if kind == "cohere" else Usage(requests=1, tokens=7)
    assert meter.usage == reranker.usage == expected


def test_more_tokens_than_one_request_takes_go_in_several_with_equal_scores(service: Service) -> None:
    reranker = VoyageReranker(client=client(service))
    texts = [f"refunds {'word ' * (1500 + i)}" for i in range(300)]
    scores = dict(reranker.rerank(QUESTION, texts))
    alone = dict(reranker.rerank(QUESTION, texts[290:]))
    assert len(scores) == 300
    assert [scores[290 + i] for i in range(10)] == [alone[i] for i in range(10)]
    assert len(service.requests) > 2


@pytest.mark.parametrize(
    ("query", "text"), [("word " * 20_000, "text"), ("question", "word " * 60_000)], ids=["question", "text"]
)
def test_what_is_too_long_is_cut_or_refused_as_told(service: Service, query: str, text: str) -> None:
    assert len(VoyageReranker(client=client(service)).rerank(query, [text, "b"])) == 2
    with pytest.raises(CallError, match=r"more than .* tokens"):
        VoyageReranker(truncation=False, client=client(service)).rerank(query, [text, "b"])
    assert [body["truncation"] for _, body, _ in service.requests] == [True]


def test_what_may_be_too_long_is_left_to_the_service(service: Service) -> None:
    reranker = VoyageReranker("rerank-lite-1", truncation=False, client=client(service))
    with pytest.raises(RetrievalError, match=r"status 400.*correct the request"):
        reranker.rerank("word " * 1_200, ["text"])
    assert len(reranker.rerank("word " * 900, ["text"])) == 1


def test_a_question_too_long_for_cohere_is_cut_or_refused_as_told() -> None:
    long = "word " * 5_000
    with serving(cohere) as service:
        assert make("cohere", service.url, max_tokens_per_doc=512).rerank(long, ["a"]) == [(0, 0.0)]
        with pytest.raises(CallError, match="2048 tokens"):
            make("cohere", service.url, truncation=False).rerank(long, ["a"])
    assert [body["max_tokens_per_doc"] for _, body, _ in service.requests] == [512]


def test_cohere_is_asked_alike_sync_and_async() -> None:
    async def asynchronous(url: str) -> Any:
        async with httpx.AsyncClient() as http:
            return await CohereReranker(api_key=KEY, base_url=url, client=http).rerank(QUESTION, TEXTS)

    with serving(cohere) as service:
        scores = make("cohere", service.url).rerank(QUESTION, TEXTS)
        assert scores == asyncio.run(asynchronous(service.url))
    path, body, headers = service.requests[0]
    assert path == "/v2/rerank"
    assert body == {"model": "rerank-v3.5", "query": QUESTION, "documents": TEXTS, "top_n": 3}
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_an_asynchronous_voyage_client_is_awaited(service: Service) -> None:
    async def ask() -> Any:
        reranker = VoyageReranker(client=client(service, "AsyncClient"))
        assert not reranker.blocking
        return await reranker.rerank(QUESTION, TEXTS)

    assert len(asyncio.run(ask())) == 3


def test_patience_ends_after_the_attempts_given() -> None:
    with serving(lambda *_: DOWN) as service, pytest.raises(RetrievalError, match="after 3 requests"):
        VoyageReranker(client=client(service), attempts=3, clock=Clock()).rerank("q", ["a 1"])
    assert len(service.requests) == 3


def test_cohere_waits_as_long_as_it_is_asked_to() -> None:
    clock = Clock()
    with serving(failing(1, (429, {}, {"retry-after": "3"}), cohere)) as service:
        make("cohere", service.url, clock=clock).rerank("q", ["a 1"])
    assert clock.waits == [3.0]


@pytest.mark.parametrize(
    "reply",
    [
        {"results": None},
        {},
        {"results": [{"index": 0}]},
        {"results": [{"index": 7, "relevance_score": 1}]},
        [],
    ],
)
def test_an_answer_without_scores_is_an_error_that_says_so(reply: Any) -> None:
    with serving(lambda *_: (200, reply, {})) as service, pytest.raises(ReplyError):
        make("cohere", service.url).rerank("q", ["a"])


def test_a_client_that_only_reranks_is_enough() -> None:
    class Result:
        index, relevance_score = 0, 0.5

    class Answer:
        results = (Result,)

    class Client:
        def rerank(self, query: str, documents: list[str], **options: Any) -> type[Answer]:
            return Answer

    reranker = VoyageReranker(client=Client())
    assert reranker.rerank("q", ["a"]) == [(0, 0.5)]
    assert reranker.usage == Usage(requests=1)
    with pytest.raises(CallError, match="has no 'rerank'"):
        VoyageReranker(client=object())


def test_a_reranker_tells_how_much_it_takes(service: Service) -> None:
    assert VoyageReranker(client=client(service)).max_documents == 1000
    assert CohereReranker(api_key=KEY).max_documents == 1000


def test_wrong_clients_and_options_are_told() -> None:
    for options, said in (({"client": 5}, "httpx.Client"), ({"max_tokens_per_doc": 0}, "1 or more")):
        with pytest.raises(CallError, match=said):
            CohereReranker(api_key=KEY, **options)


def test_keys_are_never_shown(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CO_API_KEY", KEY)
    assert KEY not in repr([VoyageReranker(client=client(service)), CohereReranker()])
    monkeypatch.delenv("CO_API_KEY")
    with pytest.raises(CallError, match="no key"):
        CohereReranker()


# ---------------------------------------------------------------- what is a reranker


class CrossEncoder:
    """Scores pairs as sentence-transformers does."""

    model_name = "ms-marco-tiny"

    def predict(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [float(len(text)) for _, text in pairs]


def by_length(query: str, texts: list[str]) -> list[float]:
    return [len(text) for text in texts]


async def awaited(query: str, texts: list[str]) -> list[tuple[int, float]]:
    return [(1, 0.5)]


class Plain:
    def rerank(self, query: str, texts: list[str]) -> list[Reranked]:
        return [Reranked(0, 1.0)]


def test_functions_and_cross_encoders_are_rerankers() -> None:
    assert as_reranker(CrossEncoder()).rerank("q", ["a", "bb"]) == [(0, 1.0), (1, 2.0)]
    assert as_reranker(by_length).rerank("q", ["a", "bb"]) == [(0, 1.0), (1, 2.0)]
    assert asyncio.run(as_reranker(awaited).rerank("q", ["a", "b"])) == [(1, 0.5)]  # type: ignore[arg-type]
    assert as_reranker(Plain()).rerank("q", ["a"]) == [(0, 1.0)]
    guesses = [(one.id, one.blocking) for one in map(as_reranker, (CrossEncoder(), awaited, Plain()))]
    assert guesses == [("CrossEncoder/ms-marco-tiny", True), (f"{__name__}.awaited", False), ("Plain", True)]


def test_a_reranker_is_left_as_it_is_unless_told_otherwise(service: Service) -> None:
    reranker = VoyageReranker(client=client(service))
    assert as_reranker(reranker) is reranker
    assert as_reranker(reranker, id="mine").id == "mine"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (CrossEncoder, "the class CrossEncoder"),
        ("rerank-2.5", "A str cannot rerank"),
        (5, "An? int cannot"),
        (voyageai.Client(api_key=KEY), "VoyageReranker"),
    ],
    ids=["class", "string", "number", "client"],
)
def test_what_is_no_reranker_is_told(value: Any, said: str) -> None:
    with pytest.raises(CallError, match=said):
        as_reranker(value)


def test_scores_that_are_too_few_or_no_numbers_are_errors() -> None:
    with pytest.raises(ReplyError, match="1 scores for 2"):
        as_reranker(lambda query, texts: [1.0]).rerank("q", ["a", "b"])
    with pytest.raises(ReplyError, match="no number"):
        as_reranker(lambda query, texts: ["high"]).rerank("q", ["a"])
