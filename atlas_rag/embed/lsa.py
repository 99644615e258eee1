"""An embedder fitted on the corpus itself: TF-IDF and a truncated singular value decomposition.

No model, nothing to download; it learns which words of *this* corpus go together. Needs a fit, and numpy.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from atlas_rag.errors import CallError

WORD = re.compile(r"[^\W_]{2,}")
OVERSAMPLING = 16
POWER_ITERATIONS = 3


class LsaEmbedder:
    """Latent semantic analysis. Make one with `fit` or `load`.

    Formula: rows (1 + ln tf) · ln(N/df), unit length, projected on the leading right singular vectors
    (randomised range finder, Halko, Martinsson & Tropp 2011), scaled to unit length.
    """

    blocking = False

    def __init__(self, terms: Sequence[str], idf: Any, components: Any) -> None:
        self._position = {term: i for i, term in enumerate(terms)}
        self._terms = list(terms)
        self._idf = idf
        self._components = components
        self._id = f"atlas-rag-lsa-1/{components.shape[1]}/{_digest(terms, components)}"

    @classmethod
    def fit(
        cls, texts: Sequence[str], *, dimensions: int = 256, max_terms: int = 50_000, seed: int = 0
    ) -> LsaEmbedder:
        """Learns from the texts of a corpus.

        Args:
            texts: at least two.
            dimensions: 2…8192; less where the corpus has fewer terms or texts.
            max_terms: most frequent terms kept, in 2 texts or more.
            seed: of the random projection; equal input and seed give equal vectors on one machine.
        """
        import numpy as np

        if len(texts) < 2 or not 2 <= dimensions <= 8192:
            raise CallError("There is too little to fit", expected="two texts or more, 2 to 8192 dimensions")
        counts = [Counter(WORD.findall(text.lower())) for text in texts]
        frequency = Counter(term for count in counts for term in count)
        common = sorted(frequency, key=lambda term: (-frequency[term], term))
        terms = sorted(term for term in common[:max_terms] if frequency[term] > 1)
        idf = np.array([np.log(len(texts) / frequency[term]) for term in terms], dtype=np.float32)
        embedder = cls(terms, idf, np.zeros((len(terms), 1), dtype=np.float32))
        size = min(dimensions, len(terms), len(texts))
        return cls(terms, idf, _leading_vectors(_Rows(embedder, counts), size, seed))

    @property
    def id(self) -> str:
        """Names algorithm, size and what was learned."""
        return self._id

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return int(self._components.shape[1])

    def embed_query(self, text: str) -> Any:
        """The unit vector of a text, float32; all zeros if it has no known word."""
        import numpy as np

        positions, weights = self.weigh(Counter(WORD.findall(text.lower())))
        vector = weights @ self._components[positions]
        length = float(np.linalg.norm(vector))
        return vector / np.float32(length) if length else vector

    def embed_documents(self, texts: Sequence[str]) -> list[Any]:
        """One unit vector per text, in order."""
        return [self.embed_query(text) for text in texts]

    def weigh(self, counts: Counter[str]) -> tuple[Any, Any]:
        """Positions and unit-length TF-IDF weights of the known terms of one text."""
        import numpy as np

        known = [(self._position[term], count) for term, count in counts.items() if term in self._position]
        positions = np.array([position for position, _ in known], dtype=np.int64)
        weights = (1 + np.log(np.array([count for _, count in known], dtype=np.float32))) * self._idf[
            positions
        ]
        length = float(np.linalg.norm(weights))
        return positions, weights / np.float32(length) if length else weights

    def save(self, path: Path) -> None:
        """Writes what `load` reads."""
        import numpy as np

        np.savez_compressed(path, terms=json.dumps(self._terms), idf=self._idf, components=self._components)

    @classmethod
    def load(cls, path: Path) -> LsaEmbedder:
        """Reads what `save` wrote."""
        import numpy as np

        with np.load(path, allow_pickle=False) as stored:
            return cls(json.loads(str(stored["terms"])), stored["idf"], stored["components"])


class _Rows:
    """The TF-IDF matrix, sparse by rows, with the two products that the range finder needs."""

    def __init__(self, embedder: LsaEmbedder, counts: Sequence[Counter[str]]) -> None:
        import numpy as np

        rows = [embedder.weigh(count) for count in counts]
        self.row_of = np.repeat(np.arange(len(rows)), [len(positions) for positions, _ in rows])
        self.positions = np.concatenate([positions for positions, _ in rows])
        self.weights = np.concatenate([weights for _, weights in rows]).astype(np.float32)
        self.shape = (len(rows), len(embedder._terms))
        self._by_term = np.argsort(self.positions, kind="stable")

    def times(self, block: Any) -> Any:
        """A · block."""
        return _segment_sum(block[self.positions] * self.weights[:, None], self.row_of, self.shape[0])

    def transposed_times(self, block: Any) -> Any:
        """Aᵀ · block."""
        order = self._by_term
        products = block[self.row_of[order]] * self.weights[order][:, None]
        return _segment_sum(products, self.positions[order], self.shape[1])


def _segment_sum(products: Any, owner: Any, size: int) -> Any:
    """Sums consecutive rows of one owner; owners ascend."""
    import numpy as np

    result = np.zeros((size, products.shape[1]), dtype=np.float32)
    if len(owner):
        starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
        result[owner[starts]] = np.add.reduceat(products, starts, axis=0)
    return result


def _leading_vectors(rows: _Rows, size: int, seed: int) -> Any:
    """The leading right singular vectors, as columns, signs fixed by their largest entry."""
    import numpy as np

    rng = np.random.default_rng(seed)
    width = min(size + OVERSAMPLING, *rows.shape)
    block = rng.standard_normal((rows.shape[1], width), dtype=np.float32)
    for _ in range(POWER_ITERATIONS):
        basis, _ = np.linalg.qr(rows.times(block))
        block, _ = np.linalg.qr(rows.transposed_times(basis))
    basis, _ = np.linalg.qr(rows.times(block))
    _, _, right = np.linalg.svd(rows.transposed_times(basis).T, full_matrices=False)
    vectors = right[:size].T
    largest = np.abs(vectors).argmax(axis=0)
    return np.ascontiguousarray(vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])]), np.float32)


def _digest(terms: Sequence[str], components: Any) -> str:
    digest = hashlib.sha256("\0".join(terms).encode())
    digest.update(components.tobytes())
    return digest.hexdigest()[:12]
