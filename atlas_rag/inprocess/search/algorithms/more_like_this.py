"""Which terms of some text say most about it.

Source: Lucene's MoreLikeThis, with the settings of the search engine: terms in at least two documents, the
best 25, no least frequency or length.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from atlas_rag.inprocess.search.algorithms.java_order import LeastFirst, hash_map_order

MIN_DOC_FREQ = 2
MAX_QUERY_TERMS = 25
MAX_TOKENS = 5000
"""How many tokens of one value are read."""


class TellingTerm(NamedTuple):
    """A term of a field, and its frequency times its rarity (float32)."""

    field: str
    term: str
    score: np.float32


def telling_terms(
    frequencies: Mapping[str, Mapping[str, int]], doc_freq: Callable[[str, str], int], documents: int
) -> list[TellingTerm]:
    """The terms to search for, the least telling first.

    Formula: frequency * (ln((documents + 1) / (doc_freq + 1)) + 1), in float32.

    Args:
        frequencies: how often each term occurs in the text, by field.
        doc_freq: the number of documents that have a term in a field.
        documents: the number of documents in the index.
    """
    limit = min(MAX_QUERY_TERMS, sum(len(terms) for terms in frequencies.values()))
    queue: LeastFirst[TellingTerm] = LeastFirst(lambda entry: float(entry.score))
    for field in hash_map_order(frequencies):
        for term in hash_map_order(frequencies[field]):
            found = doc_freq(field, term)
            if found < MIN_DOC_FREQ:
                continue
            rarity = np.float32(math.log((documents + 1) / (found + 1)) + 1)
            entry = TellingTerm(field, term, np.float32(frequencies[field][term]) * rarity)
            if len(queue) < limit:
                queue.add(entry)
            elif entry.score > queue.least.score:
                queue.replace_least(entry)
    return [queue.pop() for _ in range(len(queue))]
