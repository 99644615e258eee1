"""What one request of a provider may hold, by model: the only table of such limits.

Source: Voyage AI and MongoDB documentation (embeddings, contextualized chunk embeddings, multimodal
embeddings, rerankers), Cohere documentation (rerank, best practices), read in November 2026.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

Endpoint = Literal["texts", "chunks", "media"]
OutputType = Literal["float", "int8", "uint8", "binary", "ubinary"]
OUTPUT_TYPES: tuple[OutputType, ...] = get_args(OutputType)
CHOICE = (1024, 256, 512, 2048)
MAX_DIMENSIONS = 8192


@dataclass(frozen=True, slots=True)
class EmbeddingLimits:
    """Of one request to an embedding model.

    Args:
        tokens: of all inputs together. items: inputs. chunks: of all documents together.
        dimensions: what can be asked for, the default first; empty where that is not known.
        quantized: whether other types than float can be asked for.
        endpoint: what the model reads: texts, chunks that know their document, or texts and images.
    """

    tokens: int
    items: int = 1000
    chunks: int = 16_000
    dimensions: tuple[int, ...] = CHOICE
    quantized: bool = True
    endpoint: Endpoint = "texts"


@dataclass(frozen=True, slots=True)
class RerankLimits:
    """Of one request to a reranker; None where there is none.

    Args:
        query_tokens: of the question. pair_tokens: of the question and one text.
        tokens: of question × texts + all texts. texts: how many.
    """

    query_tokens: int
    pair_tokens: int | None = None
    tokens: int | None = None
    texts: int = 1000


_LEAST = EmbeddingLimits(120_000)
_CHUNKS = EmbeddingLimits(32_000, endpoint="chunks")
_MEDIA = EmbeddingLimits(320_000, endpoint="media")
_OLDER = EmbeddingLimits(120_000, dimensions=(1024,), quantized=False)

VOYAGE_EMBEDDING: dict[str, EmbeddingLimits] = {
    "voyage-4-large": _LEAST,
    "voyage-4": EmbeddingLimits(320_000),
    "voyage-4-lite": EmbeddingLimits(1_000_000),
    "voyage-3-large": _LEAST,
    "voyage-3.5": EmbeddingLimits(320_000),
    "voyage-3.5-lite": EmbeddingLimits(1_000_000),
    "voyage-code-3": _LEAST,
    "voyage-finance-2": _OLDER,
    "voyage-law-2": _OLDER,
    "voyage-2": replace(_OLDER, tokens=320_000),
    "voyage-code-2": replace(_OLDER, dimensions=(1536,)),
    "voyage-context-4": _CHUNKS,
    "voyage-context-3": _CHUNKS,
    "voyage-multimodal-3.5": _MEDIA,
    "voyage-multimodal-3": replace(_MEDIA, dimensions=(1024,), quantized=False),
}
VOYAGE_SPACES = (frozenset({"voyage-4-large", "voyage-4", "voyage-4-lite"}),)
"""Models that were trained to share one vector space."""
VOYAGE_RERANK: dict[str, RerankLimits] = {
    **dict.fromkeys(
        ("rerank-3", "rerank-3-lite", "rerank-2.5", "rerank-2.5-lite"), RerankLimits(8_000, 32_000, 600_000)
    ),
    "rerank-2": RerankLimits(4_000, 16_000, 600_000),
    "rerank-2-lite": RerankLimits(2_000, 8_000, 600_000),
    "rerank-1": RerankLimits(2_000, 8_000, 300_000),
    "rerank-lite-1": RerankLimits(1_000, 4_000, 300_000),
}
COHERE_RERANK = RerankLimits(2_048)
"""Of every model. Long texts are read in parts or cut; more than 1,000 are taken and advised against."""


def share_space(one: str, other: str) -> bool:
    """Whether vectors of two Voyage AI models can be compared."""
    return one == other or any({one, other} <= space for space in VOYAGE_SPACES)


def embedding_limits(model: str) -> EmbeddingLimits:
    """The limits of a Voyage AI model; of one that is not in the table the least of its family."""
    known = VOYAGE_EMBEDDING.get(model)
    if known is not None:
        return known
    family = _CHUNKS if "-context-" in model else _MEDIA if "-multimodal-" in model else _LEAST
    return replace(family, dimensions=())


def rerank_limits(model: str) -> RerankLimits:
    """The limits of a Voyage AI reranker; one that is not in the table is taken for a new one."""
    return VOYAGE_RERANK.get(model, VOYAGE_RERANK["rerank-2.5"])
