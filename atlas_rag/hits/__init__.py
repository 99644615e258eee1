"""7 READ: scores that know what they are, hits, contributions, the mapper."""

from atlas_rag.hits.hit import Contribution, Hit
from atlas_rag.hits.mapper import envelope, read_hits
from atlas_rag.hits.score import Score, ScoreKind, Similarity, Threshold

__all__ = ["Contribution", "Hit", "Score", "ScoreKind", "Similarity", "Threshold", "envelope", "read_hits"]
