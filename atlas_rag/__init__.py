"""Hybrid retrieval on MongoDB Atlas, and an in-process engine that answers like it.

   ask          spell         know           choose        door          do                 read
 query/  ──▶  stages/  +  capability/  ──▶   plan/   ──▶  wire/  ──▶   drivers/    ──▶  hits/
                                              │                           │
                                              └── fusion/                 └──▶ inprocess/

Names load when they are first used: importing the package brings in no driver and no numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from atlas_rag.capability import CapabilityCache, CapabilityReport, Feature
    from atlas_rag.embed import (
        Embedder,
        HashingEmbedder,
        LsaEmbedder,
        OnnxEmbedder,
        VoyageEmbedder,
        as_embedder,
    )
    from atlas_rag.errors import (
        AtlasRagError,
        CallError,
        Code,
        ExperimentError,
        ReplyError,
        RetrievalError,
        SearchIndexError,
        ServerError,
    )
    from atlas_rag.hits import Contribution, Evidence, Hit, Score, ScoreKind, Similarity, Threshold
    from atlas_rag.inprocess.client import AsyncLocalClient, LocalClient
    from atlas_rag.plan import (
        Fusion,
        KeywordInput,
        PipelineInput,
        Plan,
        Route,
        SearchInput,
        VectorInput,
        make_plan,
    )
    from atlas_rag.providers import Usage, metered
    from atlas_rag.query.after import Collapse, Diversify
    from atlas_rag.query.field import field
    from atlas_rag.query.filter import Filter
    from atlas_rag.query.request import Mode, NativeReranker, Request
    from atlas_rag.rerank import (
        CohereReranker,
        FinalSelection,
        LexicalReranker,
        Reranked,
        Reranker,
        VoyageReranker,
        as_reranker,
    )
    from atlas_rag.retriever import (
        AsyncRetriever,
        Result,
        RetrievalOptions,
        Retriever,
        RewriteDecision,
        StageEvent,
    )
    from atlas_rag.stages import Pipeline, Vector, as_vector
    from atlas_rag.stages.placeholders import KEYWORDS, QUESTION, VECTOR

__version__ = "0.1.0"

_HOMES = {
    "AsyncLocalClient": "inprocess.client",
    "AsyncRetriever": "retriever",
    "AtlasRagError": "errors",
    "CallError": "errors",
    "CapabilityCache": "capability",
    "CapabilityReport": "capability",
    "Code": "errors",
    "CohereReranker": "rerank",
    "Collapse": "query.after",
    "Contribution": "hits",
    "Diversify": "query.after",
    "Embedder": "embed",
    "Evidence": "hits",
    "ExperimentError": "errors",
    "Feature": "capability",
    "Fusion": "plan",
    "Filter": "query.filter",
    "FinalSelection": "rerank",
    "HashingEmbedder": "embed",
    "Hit": "hits",
    "KEYWORDS": "stages.placeholders",
    "KeywordInput": "plan",
    "PipelineInput": "plan",
    "QUESTION": "stages.placeholders",
    "SearchInput": "plan",
    "VECTOR": "stages.placeholders",
    "LexicalReranker": "rerank",
    "LocalClient": "inprocess.client",
    "LsaEmbedder": "embed",
    "Mode": "query.request",
    "NativeReranker": "query.request",
    "OnnxEmbedder": "embed",
    "Pipeline": "stages",
    "Plan": "plan",
    "ReplyError": "errors",
    "Request": "query.request",
    "Reranked": "rerank",
    "Reranker": "rerank",
    "Result": "retriever",
    "RetrievalError": "errors",
    "RetrievalOptions": "retriever",
    "Retriever": "retriever",
    "RewriteDecision": "retriever",
    "Route": "plan",
    "Score": "hits",
    "ScoreKind": "hits",
    "SearchIndexError": "errors",
    "ServerError": "errors",
    "Similarity": "hits",
    "StageEvent": "retriever",
    "Threshold": "hits",
    "Usage": "providers",
    "Vector": "stages",
    "VectorInput": "plan",
    "VoyageEmbedder": "embed",
    "VoyageReranker": "rerank",
    "as_embedder": "embed",
    "as_reranker": "rerank",
    "as_vector": "stages",
    "field": "query.field",
    "make_plan": "plan",
    "metered": "providers",
}

__all__ = [
    "KEYWORDS",
    "QUESTION",
    "VECTOR",
    "AsyncLocalClient",
    "AsyncRetriever",
    "AtlasRagError",
    "CallError",
    "CapabilityCache",
    "CapabilityReport",
    "Code",
    "CohereReranker",
    "Collapse",
    "Contribution",
    "Diversify",
    "Embedder",
    "Evidence",
    "ExperimentError",
    "Feature",
    "Filter",
    "FinalSelection",
    "Fusion",
    "HashingEmbedder",
    "Hit",
    "KeywordInput",
    "LexicalReranker",
    "LocalClient",
    "LsaEmbedder",
    "Mode",
    "NativeReranker",
    "OnnxEmbedder",
    "Pipeline",
    "PipelineInput",
    "Plan",
    "ReplyError",
    "Request",
    "Reranked",
    "Reranker",
    "Result",
    "RetrievalError",
    "RetrievalOptions",
    "Retriever",
    "RewriteDecision",
    "Route",
    "Score",
    "ScoreKind",
    "SearchIndexError",
    "SearchInput",
    "ServerError",
    "Similarity",
    "StageEvent",
    "Threshold",
    "Usage",
    "Vector",
    "VectorInput",
    "VoyageEmbedder",
    "VoyageReranker",
    "as_embedder",
    "as_reranker",
    "as_vector",
    "field",
    "make_plan",
    "metered",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'atlas_rag' has no attribute {name!r}")
    value = getattr(import_module(f"atlas_rag.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
