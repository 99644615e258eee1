"""What every call of one retriever shares; nothing of it changes with a call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from atlas_rag.plan import Input, Setting
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.request import NativeReranker
from atlas_rag.retriever.multi_query import MultiQuery
from atlas_rag.retriever.progress import ProgressCallback
from atlas_rag.retriever.rewrite import QueryRewriter
from atlas_rag.retriever.warning import Warner

if TYPE_CHECKING:
    from atlas_rag.capability import CapabilityCache
    from atlas_rag.embed import Embedder
    from atlas_rag.rerank import Reranker


@dataclass(frozen=True, slots=True)
class Setup:
    """The components and settings of a retriever.

    Args:
        namespace: `database.collection`.
        setting: what planning knows of it: input pipelines, routes, fusion, reranking.
        text_path, title_path, updated_path: where a document's text, title and time of change are, for
            rerankers and context.
        document: class that the documents of hits are made into; None for mappings.
        required_filters: paths that the filter of every call has to name.
        evidence_key: key of the HMAC of questions in evidence; None for none.
    """

    retriever_id: str
    namespace: str
    setting: Setting
    options: RetrievalOptions
    capabilities: CapabilityCache
    time_limit_ms: int
    embedder: Embedder | None = None
    reranker: Reranker | NativeReranker | None = None
    rewriter: QueryRewriter | None = None
    multi_query: MultiQuery | None = None
    progress: ProgressCallback | None = None
    text_path: str = "text"
    title_path: str = "title"
    updated_path: str = "updated_at"
    evidence_key: bytes | None = field(default=None, repr=False)
    required_filters: tuple[str, ...] = ()
    document: type[Any] | None = None
    warner: Warner = field(default_factory=Warner, repr=False, compare=False)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The input pipelines."""
        return self.setting.inputs
