"""A LlamaIndex retriever: `AtlasRagRetriever(retriever=…, async_retriever=…)`."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from atlas_rag.errors import CallError
from atlas_rag.hits import Hit
from atlas_rag.integrations.hits import OWN, metadata_of, text_of
from atlas_rag.retriever import AsyncRetriever, Result, Retriever


class AtlasRagRetriever(BaseRetriever):
    """Nodes with scores for LlamaIndex; kind and ranks are in their metadata, kept from prompts.

    `retrieve` asks `retriever`, `aretrieve` asks `async_retriever`, natively. A `QueryBundle` that brings an
    embedding is not embedded again.

    Args:
        retriever, async_retriever: one, or both over the same collection.
        options: of every call, such as `{"limit": 8, "filter": …}`.
        text_path: dotted path of the text of a node.
    """

    def __init__(
        self,
        retriever: Retriever | None = None,
        async_retriever: AsyncRetriever | None = None,
        *,
        options: dict[str, Any] | None = None,
        text_path: str = "text",
    ) -> None:
        self._retriever, self._async_retriever = retriever, async_retriever
        self._options, self._text_path = dict(options or {}), text_path
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._retriever is None:
            raise _missing("retriever", "Retriever")
        return self._nodes(self._retriever.retrieve(query_bundle.query_str, **self._asked(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self._async_retriever is None:
            raise _missing("async_retriever", "AsyncRetriever")
        asked = self._asked(query_bundle)
        return self._nodes(await self._async_retriever.retrieve(query_bundle.query_str, **asked))

    def _asked(self, query: QueryBundle) -> dict[str, Any]:
        return self._options if query.embedding is None else {**self._options, "vector": query.embedding}

    def _nodes(self, result: Result) -> list[NodeWithScore]:
        return [self._node(hit) for hit in result]

    def _node(self, hit: Hit) -> NodeWithScore:
        node = TextNode(
            id_=str(hit.id),
            text=text_of(hit, self._text_path),
            metadata=metadata_of(hit, self._text_path),
            excluded_llm_metadata_keys=list(OWN),
            excluded_embed_metadata_keys=list(OWN),
        )
        return NodeWithScore(node=node, score=None if hit.score is None else hit.score.value)


def _missing(name: str, kind: str) -> CallError:
    return CallError(
        f"There is no {name}",
        expected=f"AtlasRagRetriever({name}={kind}(collection, …))",
        next_step="give both where both retrieve and aretrieve are called",
    )
