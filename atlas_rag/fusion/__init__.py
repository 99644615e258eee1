"""Fusion arithmetic without I/O, bit-equal to the server's.

    ranks ──▶ rank_fusion       $rankFusion: sum of weight · 1/(60 + rank)
    normalization ──▶ weighted_sum   $scoreFusion: average, or the caller's expression, of weighted scores

One arithmetic for the client route, the in-process engine and tuning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.fusion.gate import gate_ratio, shuts_out
    from atlas_rag.fusion.ids import id_order
    from atlas_rag.fusion.lists import Contribution, FusedItem, RankedList
    from atlas_rag.fusion.normalization import NORMALIZATIONS, min_max, normalize, sigmoid
    from atlas_rag.fusion.rank_fusion import RANK_CONSTANT, fuse_ranks, reciprocal_rank
    from atlas_rag.fusion.ranks import competition_ranks
    from atlas_rag.fusion.summation import CompensatedSum, chained_sum, compensated_sum, server_mean
    from atlas_rag.fusion.weighted_sum import fuse_scores
    from atlas_rag.fusion.weights import checked_weights

__all__ = [
    "NORMALIZATIONS",
    "RANK_CONSTANT",
    "CompensatedSum",
    "Contribution",
    "FusedItem",
    "RankedList",
    "chained_sum",
    "checked_weights",
    "compensated_sum",
    "competition_ranks",
    "fuse_ranks",
    "fuse_scores",
    "gate_ratio",
    "id_order",
    "min_max",
    "normalize",
    "reciprocal_rank",
    "server_mean",
    "shuts_out",
    "sigmoid",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "gate": (
            "gate_ratio",
            "shuts_out",
        ),
        "ids": ("id_order",),
        "lists": (
            "Contribution",
            "FusedItem",
            "RankedList",
        ),
        "normalization": (
            "NORMALIZATIONS",
            "min_max",
            "normalize",
            "sigmoid",
        ),
        "ranks": ("competition_ranks",),
        "rank_fusion": (
            "RANK_CONSTANT",
            "fuse_ranks",
            "reciprocal_rank",
        ),
        "summation": (
            "CompensatedSum",
            "chained_sum",
            "compensated_sum",
            "server_mean",
        ),
        "weighted_sum": ("fuse_scores",),
        "weights": ("checked_weights",),
    },
)
