"""Maximal marginal relevance over stored vectors, which are fetched for it and then forgotten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from atlas_rag.errors import CallError
from atlas_rag.fusion import id_order
from atlas_rag.hits import Hit
from atlas_rag.plan import Cause, Plan
from atlas_rag.retriever.selecting import scaled_scores
from atlas_rag.retriever.trace import Trace
from atlas_rag.stages import Vector, as_vector
from atlas_rag.wire import Command, Flow

VECTOR = "vector"
DECIMALS = 12
"""Of a cosine: what lies beyond depends on the order in which a processor adds."""

Units = Mapping[Any, Any]
"""Unit vectors by the order key of an `_id`; only of documents that have a usable one."""


def stored_units(hits: Sequence[Hit], plan: Plan, time_limit_ms: int, trace: Trace) -> Flow[Units]:
    """The stored vectors of hits, each of length 1; says so where some have none.

    Raises:
        ServerError.
    """
    pipeline: list[dict[str, Any]] = [
        {"$match": {"_id": {"$in": [hit.id for hit in hits]}}},
        {"$project": {VECTOR: f"${plan.vectors_at}"}},
    ]
    reply = yield Command.aggregate(
        plan.collection, pipeline, max_rows=len(hits), time_limit_ms=time_limit_ms
    )
    read = {id_order(row["_id"]): _unit(row.get(VECTOR)) for row in reply.documents}
    sizes = [len(unit) for unit in read.values() if unit is not None]
    usual = max(sizes, key=sizes.count, default=0)
    units = {key: unit for key, unit in read.items() if unit is not None and len(unit) == usual}
    if len(units) < len(hits):
        lacking = f"{len(hits) - len(units)} of {len(hits)} candidates have no usable vector"
        text = f"{lacking} at {plan.vectors_at}; diversify held them for unlike all others"
        trace.note(Cause.DIVERSITY_IMPAIRED, text, plan.vectors_at)
    return units


def spread(hits: Sequence[Hit], units: Units, share: float, wanted: int) -> list[int]:
    """The places of hits in their new order; beyond those that are wanted, the old order holds.

    Formula: see `Diversify`.

    Args:
        hits: finally scored. share: λ, 0…1. wanted: how many are chosen.
    """
    if not hits:
        return []
    relevance = share * np.array(scaled_scores(hits))
    matrix = _matrix(hits, units)
    nearest = np.full(len(hits), -np.inf)
    left = np.ones(len(hits), dtype=bool)
    order: list[int] = []
    while len(order) < min(wanted, len(hits)):
        value = relevance - (1 - share) * nearest if order else relevance
        best = int(np.argmax(np.where(left, value, -np.inf)))
        order.append(best)
        left[best] = False
        nearest = np.maximum(nearest, np.round(matrix @ matrix[best], DECIMALS))
    return [*order, *np.flatnonzero(left).tolist()]


def _matrix(hits: Sequence[Hit], units: Units) -> Any:
    """One row for each hit; zeros where it has no vector, so that its cosines are 0."""
    size = len(next(iter(units.values()))) if units else 1
    return np.array([units.get(id_order(hit.id), np.zeros(size)) for hit in hits])


def _unit(stored: Any) -> Any:
    """A stored vector of length 1, or None for what is none or has no direction."""
    try:
        numbers = _numbers(as_vector(stored))
    except CallError:
        return None
    length = float(np.linalg.norm(numbers))
    return numbers / length if length else None


def _numbers(vector: Vector) -> Any:
    body = bytes(vector)[2:]
    match vector.dtype:
        case "packed_bit":
            return np.unpackbits(np.frombuffer(body, dtype=np.uint8)) * 2.0 - 1.0
        case "int8":
            return np.frombuffer(body, dtype=np.int8).astype(np.float64)
        case _:
            return np.frombuffer(body, dtype="<f4").astype(np.float64)
