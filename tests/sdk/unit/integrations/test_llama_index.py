"""A LlamaIndex retriever over ours: same documents, same order, with scores."""

from __future__ import annotations

import pytest
from llama_index.core.schema import MetadataMode, QueryBundle

from atlas_rag import AsyncLocalClient, AsyncRetriever, CallError, LocalClient, Retriever
from atlas_rag.integrations.llama_index import AtlasRagRetriever
from tests.support.notes import EMBEDDER, afill, fill

QUESTION = "parcels shipped from Lisbon"


@pytest.fixture
def ours() -> Retriever:
    return Retriever(fill(LocalClient()["shop"]["notes"]), embedder=EMBEDDER)


def test_nodes_carry_score_kind_and_ranks_and_keep_them_from_prompts(ours: Retriever) -> None:
    found = AtlasRagRetriever(ours, options={"limit": 2}).retrieve(QUESTION)
    expected = ours.retrieve(QUESTION, limit=2)
    assert [one.node_id for one in found] == [hit.id for hit in expected]
    assert [one.score for one in found] == [hit.score.value for hit in expected if hit.score is not None]
    assert found[0].metadata["kind"] == "rank_fusion"
    assert found[0].metadata["ranks"] == expected[0].ranks
    prompt = found[0].node.get_content(MetadataMode.LLM)
    assert "team: delivery" in prompt
    assert "rank_fusion" not in prompt


def test_an_embedding_that_comes_along_is_used(ours: Retriever) -> None:
    retriever = AtlasRagRetriever(ours, options={"mode": "vector", "limit": 1})
    bundle = QueryBundle("anything", embedding=EMBEDDER.embed_query("Refunds take five days"))
    assert [one.node_id for one in retriever.retrieve(bundle)] == ["refunds"]


async def test_asynchronously_without_a_thread(ours: Retriever) -> None:
    async with AsyncLocalClient() as client:
        collection = await afill(client["shop"]["notes"])
        retriever = AtlasRagRetriever(
            async_retriever=AsyncRetriever(collection, embedder=EMBEDDER), options={"limit": 1}
        )
        assert [one.node_id for one in await retriever.aretrieve(QUESTION)] == ["shipping"]
        with pytest.raises(CallError, match="There is no retriever"):
            retriever.retrieve(QUESTION)
    with pytest.raises(CallError, match="There is no async_retriever"):
        await AtlasRagRetriever(ours).aretrieve(QUESTION)
