"""Text to vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.embed.adapt import AdaptedEmbedder, as_embedder
    from atlas_rag.embed.asking import EmbeddedQuestion, embed_question, embed_texts, known_dimensions
    from atlas_rag.embed.hashing import HashingEmbedder
    from atlas_rag.embed.lsa import LsaEmbedder
    from atlas_rag.embed.onnx import OnnxEmbedder
    from atlas_rag.embed.protocol import Embedder
    from atlas_rag.embed.voyage import VoyageEmbedder

__all__ = [
    "AdaptedEmbedder",
    "EmbeddedQuestion",
    "Embedder",
    "HashingEmbedder",
    "LsaEmbedder",
    "OnnxEmbedder",
    "VoyageEmbedder",
    "as_embedder",
    "embed_question",
    "embed_texts",
    "known_dimensions",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "adapt": (
            "AdaptedEmbedder",
            "as_embedder",
        ),
        "asking": (
            "EmbeddedQuestion",
            "embed_question",
            "embed_texts",
            "known_dimensions",
        ),
        "hashing": ("HashingEmbedder",),
        "lsa": ("LsaEmbedder",),
        "onnx": ("OnnxEmbedder",),
        "protocol": ("Embedder",),
        "voyage": ("VoyageEmbedder",),
    },
)
