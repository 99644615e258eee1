"""7 READ: scores that know what they are, hits, contributions, the mapper."""

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.hits.contributions import Contribution
    from atlas_rag.hits.evidence import Candidate, Evidence, query_hash
    from atlas_rag.hits.hit import Hit
    from atlas_rag.hits.mapper import envelope, read_hits
    from atlas_rag.hits.score import Score, ScoreKind, Similarity, Threshold

__all__ = [
    "Candidate",
    "Contribution",
    "Evidence",
    "Hit",
    "Score",
    "ScoreKind",
    "Similarity",
    "Threshold",
    "envelope",
    "query_hash",
    "read_hits",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "contributions": ("Contribution",),
        "evidence": ("Candidate", "Evidence", "query_hash"),
        "hit": ("Hit",),
        "mapper": ("envelope", "read_hits"),
        "score": ("Score", "ScoreKind", "Similarity", "Threshold"),
    },
)
