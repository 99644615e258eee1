"""Hybrid retrieval on MongoDB Atlas, and an in-process engine that answers like it.

   ask          spell         know           choose        door          do                 read
 query/  ──▶  stages/  +  capability/  ──▶   plan/   ──▶  wire/  ──▶   drivers/    ──▶  hits/
                                              │                           │
                                              └── fusion/                 └──▶ inprocess/

Names load when they are first used: importing the package brings in no driver and no numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door
from atlas_rag.version import __version__ as __version__

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
    from atlas_rag.query.after import Boost, Collapse, Diversify, Neighbours, Recency
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
        MultiQuery,
        Result,
        RetrievalOptions,
        Retriever,
        RewriteDecision,
        StageEvent,
    )
    from atlas_rag.stages import Pipeline, Vector, as_vector
    from atlas_rag.stages.placeholders import KEYWORDS, QUESTION, VECTOR


__all__ = [
    "KEYWORDS",
    "QUESTION",
    "VECTOR",
    "AsyncLocalClient",
    "AsyncRetriever",
    "AtlasRagError",
    "Boost",
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
    "MultiQuery",
    "NativeReranker",
    "Neighbours",
    "OnnxEmbedder",
    "Pipeline",
    "PipelineInput",
    "Plan",
    "Recency",
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

__getattr__, __dir__ = front_door(
    __name__,
    {
        "inprocess.client": (
            "AsyncLocalClient",
            "LocalClient",
        ),
        "retriever": (
            "AsyncRetriever",
            "MultiQuery",
            "Result",
            "RetrievalOptions",
            "Retriever",
            "RewriteDecision",
            "StageEvent",
        ),
        "errors": (
            "AtlasRagError",
            "CallError",
            "Code",
            "ExperimentError",
            "ReplyError",
            "RetrievalError",
            "SearchIndexError",
            "ServerError",
        ),
        "capability": (
            "CapabilityCache",
            "CapabilityReport",
            "Feature",
        ),
        "rerank": (
            "CohereReranker",
            "FinalSelection",
            "LexicalReranker",
            "Reranked",
            "Reranker",
            "VoyageReranker",
            "as_reranker",
        ),
        "query.after": (
            "Boost",
            "Collapse",
            "Diversify",
            "Neighbours",
            "Recency",
        ),
        "hits": (
            "Contribution",
            "Evidence",
            "Hit",
            "Score",
            "ScoreKind",
            "Similarity",
            "Threshold",
        ),
        "embed": (
            "Embedder",
            "HashingEmbedder",
            "LsaEmbedder",
            "OnnxEmbedder",
            "VoyageEmbedder",
            "as_embedder",
        ),
        "plan": (
            "Fusion",
            "KeywordInput",
            "PipelineInput",
            "Plan",
            "Route",
            "SearchInput",
            "VectorInput",
            "make_plan",
        ),
        "query.filter": ("Filter",),
        "stages.placeholders": (
            "KEYWORDS",
            "QUESTION",
            "VECTOR",
        ),
        "query.request": (
            "Mode",
            "NativeReranker",
            "Request",
        ),
        "stages": (
            "Pipeline",
            "Vector",
            "as_vector",
        ),
        "providers": (
            "Usage",
            "metered",
        ),
        "query.field": ("field",),
    },
)
