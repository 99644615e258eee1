"""A deterministic stand-in for what approximate search loses, for those who ask for it.

The in-process engine answers approximate questions from a full scan, so `numCandidates` never loses a hit.
Where an index was opened with `simulate_loss`, hits are lost as often as the engine's graphs lose them, but
not the same ones: those depend on the order in which a graph was built.

Formula: of n rows, the one at rank r (1 is the best) is lost to a question with c candidates with probability
    0.00025 · √n · r / c
so that recall grows with `numCandidates`, falls towards the end of a list and falls with the collection.
A filter that leaves no more rows than there are candidates makes the engine scan them: nothing is lost.

Source: recorded answers at limit 100 of 200 candidates over 1,400 and 5,183 rows: recall .9984 and .9944, a
miss in 1,000 at rank 10 and in 90 at rank 100 of the larger. √n continues this to the recall of .98 that is
commonly published for graphs of 16 edges over a million rows at 10 of 100, and .8 at 10 of 10.
Binary quantization: its stages (Hamming distance, then ±1 rows against the full query, then the best
√(limit · numCandidates) at full precision) are the engine's, with whatever filter.
"""

from __future__ import annotations

import math
from zlib import crc32

import numpy as np

from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.selection import best
from atlas_rag.inprocess.search.vector_index.similarity import ONES_IN_BYTE

_LOST = 0.00025


def binary_survivors(rows: Array, query: Array, count: int, candidates: int) -> Array:
    """Ascending positions that reach the last stage of binary quantization."""
    codes, asked = np.packbits(rows > 0, axis=1), np.packbits(query > 0)
    distances = ONES_IN_BYTE[codes ^ asked].sum(axis=1, dtype=np.int64)
    near = np.sort(best(-distances, candidates))
    kept = math.isqrt(count * candidates)
    signs = np.where(rows[near] > 0, np.float32(1), np.float32(-1))
    return np.sort(near[best(signs @ query, max(kept, 1))])


def graph_survivors(scores: Array, query: Array, candidates: int) -> Array:
    """Ascending positions of the candidates of a graph search; what a question loses depends on it alone."""
    ranked = best(scores, 2 * candidates)
    odds = _LOST * math.sqrt(len(scores)) / candidates * np.arange(1, len(ranked) + 1)
    drawn = np.random.default_rng(crc32(query.tobytes())).random(len(ranked))
    return np.sort(ranked[drawn >= odds][:candidates])
