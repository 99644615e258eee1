"""What every call of one retriever shares; nothing of it changes with a call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.capability import CapabilityCache
from atlas_rag.embed import Embedder
from atlas_rag.plan import Input, Planner
from atlas_rag.query.request import NativeReranker
from atlas_rag.quick_init import quick_init
from atlas_rag.rerank import Reranker
from atlas_rag.retriever.options import RetrievalOptions
from atlas_rag.retriever.progress import ProgressCallback
from atlas_rag.retriever.rewrite import QueryRewriter


@dataclass(frozen=True, slots=True)
class Setup:
    """The components and settings of a retriever.

    Args:
        text_path, title_path: where a document's text and title are, for rerankers and context.
        evidence_key: key of the HMAC of questions in evidence; None for none.
    """

    retriever_id: str
    inputs: tuple[Input, ...]
    planner: Planner
    options: RetrievalOptions
    capabilities: CapabilityCache
    time_limit_ms: int
    embedder: Embedder | None = None
    reranker: Reranker | NativeReranker | None = None
    rewriter: QueryRewriter | None = None
    progress: ProgressCallback | None = None
    text_path: str = "text"
    title_path: str = "title"
    evidence_key: bytes | None = field(default=None, repr=False)


@quick_init
@dataclass(frozen=True, slots=True)
class Question:
    """One call: what is asked, and the options that hold for it."""

    text: str | None = field(repr=False)
    vector: Any = field(repr=False)
    options: RetrievalOptions
    history: Sequence[str] = field(default=(), repr=False)
