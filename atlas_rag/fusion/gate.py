"""When a weight shuts the documents of the other input pipeline out of the first places."""

from __future__ import annotations

from atlas_rag.fusion.rank_fusion import RANK_CONSTANT


def gate_ratio(places: int) -> float:
    """The ratio of two weights above which only one pipeline fills the first `places` (≥ 1) places.

    Formula: (60 + places) / 61. The heavier pipeline's document at rank `places` scores at least
    w_a / (60 + places); the best document that only the other found scores w_b / 61.

    >>> round(gate_ratio(10), 4)  # as a share of both weights: .534
    1.1475
    """
    return (RANK_CONSTANT + places) / (RANK_CONSTANT + 1)


def shuts_out(weight: float, other: float, places: int) -> bool:
    """Whether documents that only the pipeline weighing `other` found cannot reach the first `places`.

    Needs the heavier pipeline to return at least `places` documents.
    """
    return weight > other * gate_ratio(places)
