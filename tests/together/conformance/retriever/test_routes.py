"""Native, emulated and client routes of one question give equal ranks, scores and contributions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import Filter, KeywordInput, Route, VectorInput
from tests.together.conformance.retriever.corpus import EMBEDDER, collection, retriever

SHOP = collection()
QUESTIONS = [
    "refunds within days",
    "track my parcels",
    "ISO-27001",
    "gift returns refunded",
    "lisbon holidays",
]
WEIGHTS = st.sampled_from([0.0, 0.25, 1 / 3, 1.0, 2.5])


def ranked(route: Route, question: str, **options: Any) -> list[Any]:
    """What a route says: id, rank, score, and per input pipeline rank, raw score and value."""
    answered = retriever(SHOP, routes=[route]).retrieve(question, **options)
    assert answered.evidence.route == route
    return [
        (
            hit.id,
            hit.rank,
            hit.score,
            {name: (c.rank, c.score, c.value, c.weight) for name, c in hit.contributions.items()},
        )
        for hit in (*answered.hits, *answered.rejected)
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(QUESTIONS),
    WEIGHTS,
    WEIGHTS,
    st.integers(1, 6),
    st.integers(0, 3),
    st.sampled_from(
        [None, Filter.where("tenant", "a"), Filter.where_not("n", 3), ~Filter.where_in("n", [0, 1])]
    ),
)
def test_all_routes_agree_to_the_last_bit(
    question: str, vector: float, keyword: float, limit: int, skip: int, condition: Filter | None
) -> None:
    if not vector and not keyword:
        return
    options = {
        "weights": {"vector": vector, "keyword": keyword},
        "limit": limit,
        "skip": skip,
        "filter": condition,
    }
    native = ranked(Route.NATIVE, question, **options)
    assert native == ranked(Route.EMULATED, question, **options)
    assert native == ranked(Route.CLIENT, question, **options)


def test_three_input_pipelines_agree_too() -> None:
    inputs = (
        VectorInput(exact=True),
        KeywordInput(name="alpha"),
        KeywordInput(name="zeta", paths=("text",), boosts=(("text", 3.0),)),
    )
    weights = {"vector": 0.3, "alpha": 0.7, "zeta": 1 / 7}
    results = []
    for route in (Route.NATIVE, Route.EMULATED, Route.CLIENT):
        answered = retriever(SHOP, inputs=inputs, routes=[route]).retrieve(
            "refunds and returns", weights=weights
        )
        results.append([(hit.id, hit.score) for hit in answered])
    assert results[0] == results[1] == results[2]


def test_the_order_of_input_pipelines_does_not_matter() -> None:
    pair = (VectorInput(exact=True), KeywordInput())
    one, other = (
        [(hit.id, hit.score) for hit in retriever(SHOP, inputs=inputs).retrieve("refunds")]
        for inputs in (pair, pair[::-1])
    )
    assert one == other


@pytest.mark.parametrize("question", QUESTIONS)
def test_raising_a_weight_never_lowers_a_document_found_only_there(question: str) -> None:
    def places(weight: float) -> dict[str, int]:
        result = retriever(SHOP).retrieve(question, limit=8, weights={"keyword": weight})
        return {hit.id: hit.rank for hit in result}

    only = [
        hit.id
        for hit in retriever(SHOP).retrieve(question, limit=8)
        if hit.contributions["vector"].rank is None
    ]
    before, after = places(0.5), places(2.0)
    assert all(after[one] <= before[one] for one in only)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_store_filter_never_adds_a_document(question: str) -> None:
    everyone = {hit.id for hit in retriever(SHOP).retrieve(question, limit=8)}
    guarded = retriever(SHOP, store_filter=Filter.where("tenant", "a")).retrieve(question, limit=8)
    assert {hit.id for hit in guarded} <= everyone
    assert {hit.document["tenant"] for hit in guarded} <= {"a"}


@pytest.mark.parametrize(
    ("release", "route"),
    [("7.0", Route.EMULATED), ("8.0", Route.EMULATED), ("8.2", Route.NATIVE), ("9.0", Route.NATIVE)],
)
def test_each_release_takes_its_route_and_says_so(release: str, route: Route) -> None:
    shop = collection(release)
    answered = retriever(shop).retrieve("refunds within days", limit=3)
    assert answered.plan is not None
    assert answered.plan.route is route
    assert answered.evidence.route_reason
    assert [hit.id for hit in answered] == [
        hit.id for hit in retriever(SHOP).retrieve("refunds within days", limit=3)
    ]


def test_embedding_is_asked_only_where_vectors_run() -> None:
    calls: list[str] = []

    class Counted:
        id, dimensions, blocking = "counted", EMBEDDER.dimensions, False

        def embed_query(self, text: str) -> list[float]:
            calls.append(text)
            return EMBEDDER.embed_query(text)

        def embed_documents(self, texts: Any) -> Any:
            return EMBEDDER.embed_documents(texts)

    counting = retriever(SHOP, embedder=Counted())
    counting.retrieve("refunds", mode="keyword")
    assert calls == []
    counting.retrieve("refunds", mode="vector")
    counting.retrieve("refunds")
    assert calls == ["refunds", "refunds"]
    counting.retrieve("refunds", vector=EMBEDDER.embed_query("refunds"))
    assert len(calls) == 2
