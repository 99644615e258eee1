"""The articles' vectors, computed once, behind the face of the embedder that computed them.

`python -m scripts.demo_vectors` computes them again, after a change of the articles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from atlas_rag.demo.corpus import FOLDER
from atlas_rag.embed import OnnxEmbedder

FILE = FOLDER / "vectors.npz"


class HandbookEmbedder(OnnxEmbedder):
    """`OnnxEmbedder` that reads the vectors of the handbook's texts from a file; other texts are computed."""

    def __init__(self, threads: int = 1) -> None:
        super().__init__(threads)
        with np.load(FILE) as kept:
            self._kept = dict(zip(kept["digests"].tolist(), kept["vectors"], strict=True))

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """One unit vector per text, in order."""
        new = [text for text in texts if digest(text) not in self._kept]
        computed = dict(zip(new, super().embed_documents(new), strict=True))
        return [computed[text] if text in computed else self._kept[digest(text)] for text in texts]


def digest(text: str) -> str:
    """What a text is known by in the file."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
