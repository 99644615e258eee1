"""Text to vectors."""

from atlas_rag.embed.hashing import HashingEmbedder
from atlas_rag.embed.lsa import LsaEmbedder
from atlas_rag.embed.onnx import OnnxEmbedder
from atlas_rag.embed.protocol import Embedder

__all__ = ["Embedder", "HashingEmbedder", "LsaEmbedder", "OnnxEmbedder"]
