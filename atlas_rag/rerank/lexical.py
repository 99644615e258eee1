"""A reranker without a model: how much of the question a text covers, and how closely together.

Deterministic and offline; for tests, demonstrations, and as a floor that a model should beat.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from atlas_rag.query.keywords import extract_keywords
from atlas_rag.rerank.protocol import Reranked

WORD = re.compile(r"[^\W_]+")
COVERAGE_SHARE = 0.7


class LexicalReranker:
    """Formula: .7 · Σ idf(t) of covered terms / Σ idf(t) + .3 · covered / span of the shortest window.

    idf(t) = ln(1 + (n − df + .5)/(df + .5)) over the texts given. Score 0…1.
    """

    id = "lexical-1"
    blocking = False

    def rerank(self, query: str, texts: Sequence[str]) -> list[Reranked]:
        """One score per text."""
        terms = {word for keyword in extract_keywords(query, cap=32).kept for word in _words(keyword)}
        documents = [_words(text) for text in texts]
        found = [terms.intersection(document) for document in documents]
        idf = {term: _idf(len(texts), sum(term in one for one in found)) for term in terms}
        return [
            Reranked(index, _score(idf, covered, document))
            for index, (covered, document) in enumerate(zip(found, documents, strict=True))
        ]


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())


def _idf(size: int, frequency: int) -> float:
    return math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))


def _score(idf: dict[str, float], covered: set[str], document: list[str]) -> float:
    if not covered:
        return 0.0
    coverage = sum(idf[term] for term in covered) / sum(idf.values())
    return COVERAGE_SHARE * coverage + (1 - COVERAGE_SHARE) * len(covered) / _window(document, covered)


def _window(document: list[str], terms: set[str]) -> int:
    """Length of the shortest run of words that holds every term."""
    shortest, last = len(document), {}
    for position, word in enumerate(document):
        if word in terms:
            last[word] = position
            if len(last) == len(terms):
                shortest = min(shortest, position - min(last.values()) + 1)
    return shortest
