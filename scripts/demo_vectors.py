"""Computes the vectors that come with the demo's handbook; to be run after a change of its articles.

python -m scripts.demo_vectors
"""

from __future__ import annotations

import numpy as np

from atlas_rag.demo import articles
from atlas_rag.demo.vectors import FILE, digest
from atlas_rag.embed import OnnxEmbedder


def main() -> None:
    """Writes the file."""
    texts = [article.text for article in articles()]
    vectors = np.array(OnnxEmbedder().embed_documents(texts), dtype=np.float32)
    np.savez_compressed(FILE, digests=np.array([digest(text) for text in texts]), vectors=vectors)


if __name__ == "__main__":
    main()
