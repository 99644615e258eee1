"""A LangChain retriever over ours: same documents, same order, with what the search said of them."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from atlas_rag import AsyncLocalClient, AsyncRetriever, CallError, Filter, LocalClient, Retriever
from atlas_rag.integrations.langchain import AtlasRagRetriever
from tests.support.notes import EMBEDDER, afill, fill

QUESTION = "parcels shipped from Lisbon"


@pytest.fixture
def ours() -> Retriever:
    return Retriever(fill(LocalClient()["shop"]["notes"]), embedder=EMBEDDER)


def test_documents_carry_score_kind_and_ranks(ours: Retriever) -> None:
    found = AtlasRagRetriever(retriever=ours, options={"limit": 2}).invoke(QUESTION)
    expected = ours.retrieve(QUESTION, limit=2)
    assert [document.id for document in found] == [hit.id for hit in expected]
    first, hit = found[0], expected[0]
    assert first.page_content == "Parcels are shipped from Lisbon every morning."
    assert hit.score is not None
    assert first.metadata == {
        "team": "delivery",
        "score": hit.score.value,
        "kind": "rank_fusion",
        "rank": 1,
        "ranks": hit.ranks,
    }


def test_a_field_of_the_document_that_is_called_score_is_kept(ours: Retriever) -> None:
    (found,) = AtlasRagRetriever(retriever=ours).invoke("refunds", limit=1)
    assert found.metadata["document_score"] == 9
    assert found.metadata["score"] < 1


def test_a_call_overrides_options_and_wrong_ones_are_refused(ours: Retriever) -> None:
    retriever = AtlasRagRetriever(retriever=ours, options={"filter": Filter.where("team", "billing")})
    assert {one.metadata["team"] for one in retriever.invoke(QUESTION)} == {"billing"}
    assert len(retriever.invoke(QUESTION, filter=None)) == 3
    with pytest.raises(CallError, match="no option 'k'"):
        retriever.invoke(QUESTION, k=3)


def test_it_is_a_part_of_a_chain(ours: Retriever) -> None:
    def joined(documents: list[Document]) -> str:
        return " ".join(document.id or "" for document in documents)

    chain = AtlasRagRetriever(retriever=ours, options={"limit": 1}) | RunnableLambda(joined)
    assert chain.invoke("refunds") == "refunds"


async def test_asynchronously_without_a_thread() -> None:
    async with AsyncLocalClient() as client:
        collection = await afill(client["shop"]["notes"])
        retriever = AtlasRagRetriever(async_retriever=AsyncRetriever(collection, embedder=EMBEDDER))
        found = await retriever.ainvoke(QUESTION, limit=1)
        assert [one.id for one in found] == ["shipping"]
        with pytest.raises(CallError, match="There is no retriever"):
            retriever.invoke(QUESTION)


async def test_a_synchronous_one_does_not_stand_in(ours: Retriever) -> None:
    with pytest.raises(CallError, match="There is no async_retriever"):
        await AtlasRagRetriever(retriever=ours).ainvoke(QUESTION)
