"""Embedders that a command can make from their id alone: those that need neither key nor file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from atlas_rag.embed import Embedder

HASHING = re.compile(r"atlas-rag-hashing-1/(\d+)")
MINILM = "all-MiniLM-L6-v2/onnx-int8"
HELP = "Turns the question into a vector: minilm, hashing/384 (words, no model), or an embedder's id."


def embedder_named(given: str) -> Embedder:
    """The embedder of this id or short name.

    Raises:
        CallError: INVALID_OPTION, it is not known, or its extra is not installed.
    """
    from atlas_rag.embed import HashingEmbedder, OnnxEmbedder

    name = re.sub(r"^hashing/", "atlas-rag-hashing-1/", given)
    if match := HASHING.fullmatch(name):
        return HashingEmbedder(int(match[1]))
    if name in ("minilm", MINILM):
        return OnnxEmbedder()
    raise CallError(
        f"The embedder {given!r} cannot be made from its name",
        expected="minilm or hashing/<dimensions>",
        next_step="use Retriever in Python with an embedder of your own",
    )
