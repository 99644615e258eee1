"""A deterministic stand-in for what approximate search loses, for those who ask for it.

The in-process engine answers approximate questions from a full scan, so `numCandidates` never loses a hit.
Where an index was opened with `simulate_loss`, only candidates found through the signs of the components
are ranked: recall then grows with `numCandidates`, as it does in the engine, though not with the engine's
own misses, which depend on its graphs.
Source: the stages of binary quantization (Hamming distance, then ±1 rows against the full query, then the
best √(limit · numCandidates) at full precision) are the engine's.
"""

from __future__ import annotations

import math

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.selection import best
from atlas_rag.inprocess.search.vector_index.similarity import ONES_IN_BYTE


def binary_survivors(rows: Array, query: Array, count: int, candidates: int) -> Array:
    """Ascending positions that reach the last stage of binary quantization."""
    codes, asked = np.packbits(rows > 0, axis=1), np.packbits(query > 0)
    distances = ONES_IN_BYTE[codes ^ asked].sum(axis=1, dtype=np.int64)
    near = np.sort(best(-distances, candidates))
    kept = math.isqrt(count * candidates)
    return np.sort(near[best(_signed_products(rows[near], query), max(kept, 1))])


def graph_survivors(rows: Array, query: Array, candidates: int) -> Array:
    """Ascending positions of the candidates of a graph search over unquantized or scalar rows."""
    return np.sort(best(_signed_products(rows, query), candidates))


def _signed_products(rows: Array, query: Array) -> Array:
    return np.where(rows > 0, np.float32(1), np.float32(-1)) @ query
