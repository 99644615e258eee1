"""How a term's occurrences become a score: BM25, boolean and stableTfl, in Lucene's float32 arithmetic.

Formula (BM25, k1 = 1.2, b = 0.75): idf = ln(1 + (N - n + 0.5) / (n + 0.5)); score = w - w / (1 + f * c[dl])
with w = boost * idf and c[dl] = 1 / (k1 * ((1 - b) + b * dl / avgdl)); N counts documents that have the
field, dl is the one-byte length. Source: Lucene 10.1 BM25Similarity.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.queries.base import Explanation, Floats, float_text
from atlas_rag.inprocess.search.search_index.storage.smallfloat import LENGTHS
from atlas_rag.inprocess.search.search_index.storage.terms import View

K1 = np.float32(1.2)
B = np.float32(0.75)
ONE = np.float32(1.0)
_LENGTHS = LENGTHS.astype(np.float32)


class TermCount(NamedTuple):
    """In how many documents a term is, of the field's `View.doc_count`."""

    term: str
    doc_freq: int


class Similarity(ABC):
    """Scores the occurrences of a term or phrase in the documents of one field.

    `name` is Lucene's, as explanations show it; `kind` tells apart all that there are.
    """

    name: str
    kind: str
    has_norms: bool

    @abstractmethod
    def scorer(self, view: View, boost: np.float32, counts: list[TermCount]) -> Scorer:
        """Binds boost and statistics; several counts (a phrase) add their idf."""


class Scorer(ABC):
    """A similarity bound to one query term (or phrase) and one field."""

    @abstractmethod
    def scores(self, docs: NDArray[np.int32], freqs: Floats) -> Floats:
        """Returns the score of each document, given how often it has the term."""

    @abstractmethod
    def explain(self, doc: int, freq: Explanation) -> Explanation:
        """Explains the score of one document."""


class Bm25(Similarity):
    """The default similarity."""

    name = "BM25Similarity"

    def __init__(self, *, has_norms: bool = True) -> None:
        self.has_norms = has_norms
        self.kind = "bm25" if has_norms else "bm25 without norms"

    def scorer(self, view: View, boost: np.float32, counts: list[TermCount]) -> Scorer:
        return _Bm25Scorer(self, view, boost, counts)


def idf(doc_freq: int, doc_count: int) -> np.float32:
    """Inverse document frequency: ln(1 + (N - n + 0.5) / (n + 0.5)), rounded to float32."""
    return np.float32(math.log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5)))


def average_length(view: View) -> np.float32:
    """Average number of tokens of the documents that have the field."""
    return np.float32(view.total_terms / view.doc_count)


def _inverse_norms(view: View) -> Floats:
    """1 / (k1 * ((1 - b) + b * dl / avgdl)) for every document of the partition."""
    found = view.derived.get("bm25")
    if found is None:
        found = view.derived["bm25"] = _table(view)[view.norms]
    return found  # type: ignore[return-value]


def _table(view: View) -> Floats:
    """1 / (k1 * ((1 - b) + b * dl / avgdl)) for every one-byte length."""
    table: Floats = ONE / (K1 * ((ONE - B) + B * _LENGTHS / average_length(view)))
    return table


class _Bm25Scorer(Scorer):
    def __init__(self, similarity: Bm25, view: View, boost: np.float32, counts: list[TermCount]) -> None:
        self._view = view
        self._boost = boost
        self._counts = counts
        self._has_norms = similarity.has_norms
        self._idf = np.float32(sum(float(idf(count.doc_freq, view.doc_count)) for count in counts))
        self._weight = boost * self._idf

    def scores(self, docs: NDArray[np.int32], freqs: Floats) -> Floats:
        inverse = _inverse_norms(self._view)[docs] if self._has_norms else _table(self._view)[1]
        weight = self._weight
        result: Floats = weight - weight / (ONE + freqs * inverse)
        return result

    def explain(self, doc: int, freq: Explanation) -> Explanation:
        frequency = np.float32(freq.value)
        score = self.scores(np.array([doc]), np.array([frequency], np.float32))[0]
        details = [self._explain_idf(), self._explain_tf(doc, freq)]
        if self._boost != 1:
            details.insert(0, Explanation(self._boost, "boost"))
        described = f"score(freq={float_text(frequency)}), computed as boost * idf * tf from:"
        return Explanation(score, described, tuple(details))

    def _explain_idf(self) -> Explanation:
        parts = tuple(explain_idf(count.doc_freq, self._view.doc_count) for count in self._counts)
        return parts[0] if len(parts) == 1 else Explanation(self._idf, "idf, sum of:", parts)

    def _explain_tf(self, doc: int, freq: Explanation) -> Explanation:
        frequency = np.float32(freq.value)
        norm = self._view.norms[doc] if self._has_norms else 1
        value = ONE - ONE / (ONE + frequency * _table(self._view)[norm])
        length = _LENGTHS[norm]
        return Explanation(
            value,
            "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:",
            (
                freq,
                Explanation(K1, "k1, term saturation parameter"),
                Explanation(B, "b, length normalization parameter"),
                Explanation(length, _length_words(length)),
                Explanation(average_length(self._view), "avgdl, average length of field"),
            ),
        )


def _length_words(length: np.float32) -> str:
    return "dl, length of field (approximate)" if length > 39 else "dl, length of field"


def explain_idf(doc_freq: int, doc_count: int) -> Explanation:
    """Explains the idf of one term."""
    return Explanation(
        idf(doc_freq, doc_count),
        "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:",
        (
            Explanation(doc_freq, "n, number of documents containing term"),
            Explanation(doc_count, "N, total number of documents with field"),
        ),
    )


class BooleanSimilarity(Similarity):
    """Every matching term scores its boost."""

    name = "BooleanSimilarity"
    kind = "boolean"
    has_norms = False

    def scorer(self, view: View, boost: np.float32, counts: list[TermCount]) -> Scorer:
        return _BooleanScorer(boost)


class _BooleanScorer(Scorer):
    def __init__(self, boost: np.float32) -> None:
        self._boost = boost

    def scores(self, docs: NDArray[np.int32], freqs: Floats) -> Floats:
        return np.full(len(docs), self._boost, np.float32)

    def explain(self, doc: int, freq: Explanation) -> Explanation:
        details = (Explanation(self._boost, "boost, query boost"),)
        return Explanation(self._boost, "score(BooleanWeight), computed from:", details)


_TFL_RATE, _TFL_DECAY = np.float32(0.00781), np.float32(-0.917)


class StableTfl(Similarity):
    """Needs no statistics of the corpus, so scores are equal on every shard.

    Formula: p = 1 - (1 - 0.00781 * 2^(-0.917 * tl))^dl; tr = ln(1 + (1 - p + .05) / (p + .05));
    score = boost * tr * f / (f + 1.2), with tl the length of the term and dl that of the document. The first
    two constants and their product with tl are float32, p and tr double.
    """

    name = "StableTflSimilarity"

    def __init__(self, *, has_norms: bool = True) -> None:
        self.has_norms = has_norms
        self.kind = "stableTfl" if has_norms else "stableTfl without norms"

    def scorer(self, view: View, boost: np.float32, counts: list[TermCount]) -> Scorer:
        return _StableTflScorer(self, view, boost, counts)


class _StableTflScorer(Scorer):
    def __init__(self, similarity: StableTfl, view: View, boost: np.float32, counts: list[TermCount]) -> None:
        self._view = view
        self._boost = boost
        self._has_norms = similarity.has_norms
        self._term_length = sum(len(count.term) for count in counts)

    def scores(self, docs: NDArray[np.int32], freqs: Floats) -> Floats:
        norms = self._view.norms[docs] if self._has_norms else np.ones(len(docs), np.uint8)
        length = _LENGTHS[norms].astype(np.float64)
        rate = float(_TFL_RATE) * 2.0 ** float(_TFL_DECAY * np.float32(self._term_length))
        present = 1.0 - (1.0 - rate) ** length
        rarity = np.log(1.0 + (1.0 - present + 0.05) / (present + 0.05))
        weight = self._boost * rarity.astype(np.float32)
        result: Floats = weight - weight / (ONE + freqs * (ONE / K1))
        return result

    def explain(self, doc: int, freq: Explanation) -> Explanation:
        score = self.scores(np.array([doc]), np.array([freq.value], np.float32))[0]
        frequency = float_text(np.float32(freq.value))
        return Explanation(score, f"score(freq={frequency}), with freq of:", (freq,))


BM25 = Bm25()
_ALL = (BM25, Bm25(has_norms=False), BooleanSimilarity(), StableTfl(), StableTfl(has_norms=False))
SIMILARITIES: Mapping[str, Similarity] = {each.kind: each for each in _ALL}
WITHOUT_NORMS = " without norms"
"""What stands behind the kind of a similarity whose field keeps no lengths: every document counts as 1."""
