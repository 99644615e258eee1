"""A LangChain retriever: `AtlasRagRetriever(retriever=…, async_retriever=…)`."""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from atlas_rag.errors import CallError
from atlas_rag.hits import Hit
from atlas_rag.integrations.hits import metadata_of, text_of
from atlas_rag.retriever import AsyncRetriever, Result, Retriever


class AtlasRagRetriever(BaseRetriever):
    """Documents for LangChain, with score, kind and ranks in their metadata.

    `invoke` asks `retriever`, `ainvoke` asks `async_retriever`, natively: neither runs in the other's place.

    Args:
        retriever, async_retriever: one, or both over the same collection.
        options: of every call, such as `{"limit": 8, "filter": …}`; `invoke(question, limit=3)` overrides.
        text_path: dotted path of the text that becomes `page_content`.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    retriever: Retriever | None = None
    async_retriever: AsyncRetriever | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    text_path: str = "text"

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        if self.retriever is None:
            raise _missing("retriever", "Retriever")
        return self._documents(self.retriever.retrieve(query, **{**self.options, **options}))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **options: Any
    ) -> list[Document]:
        if self.async_retriever is None:
            raise _missing("async_retriever", "AsyncRetriever")
        return self._documents(await self.async_retriever.retrieve(query, **{**self.options, **options}))

    def _documents(self, result: Result) -> list[Document]:
        return [self._document(hit) for hit in result]

    def _document(self, hit: Hit) -> Document:
        return Document(
            page_content=text_of(hit, self.text_path),
            metadata=metadata_of(hit, self.text_path),
            id=str(hit.id),
        )


def _missing(name: str, kind: str) -> CallError:
    return CallError(
        f"There is no {name}",
        expected=f"AtlasRagRetriever({name}={kind}(collection, …))",
        next_step="give both where both invoke and ainvoke are called",
    )
