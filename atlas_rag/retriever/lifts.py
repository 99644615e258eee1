"""The order of hits where some are lifted: what is new, what has much of something."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Sequence

from atlas_rag.hits import Hit
from atlas_rag.plan import Cause
from atlas_rag.query.after import Boost, Recency
from atlas_rag.retriever.selecting import scaled_scores
from atlas_rag.retriever.trace import Trace

DAY = dt.timedelta(days=1)
Lift = Callable[[Hit], float | None]
"""What is added to the relevance of a hit; None where there is nothing to go by."""


def by_lifts(hits: Sequence[Hit], recency: Recency | None, boost: Boost | None, trace: Trace) -> list[int]:
    """The places of hits in their new order; of equal values the hit that was ranked first is taken.

    Formula: see `Recency` and `Boost`.
    """
    values = scaled_scores(hits)
    for name, path, lift in _lifts(recency, boost):
        found = [lift(hit) for hit in hits]
        if lacking := found.count(None):
            text = f"{lacking} of {len(hits)} candidates have no {name} at {path}: not lifted"
            trace.note(Cause.LIFT_IMPAIRED, text, path)
        values = [value + (more or 0.0) for value, more in zip(values, found, strict=True)]
    return sorted(range(len(hits)), key=lambda place: -values[place])


def _lifts(recency: Recency | None, boost: Boost | None) -> list[tuple[str, str, Lift]]:
    """What is asked for: in words what a hit needs for it, where, and the lift."""
    lifts: list[tuple[str, str, Lift]] = []
    if recency is not None:
        lifts.append(("date", recency.path, _newness(recency, dt.datetime.now(dt.UTC))))
    if boost is not None:
        lifts.append(("number above 0", boost.path, _plenty(boost)))
    return lifts


def _newness(recency: Recency, now: dt.datetime) -> Lift:
    def lift(hit: Hit) -> float | None:
        value = hit.value_at(recency.path)
        if not isinstance(value, dt.datetime):
            return None
        aware = value if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)
        age = max(0.0, (now - aware) / DAY)
        return recency.weight * math.pow(0.5, age / recency.half_life)

    return lift


def _plenty(boost: Boost) -> Lift:
    def lift(hit: Hit) -> float | None:
        value = hit.value_at(boost.path)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
            return None
        return boost.weight / (1.0 + boost.pivot / value)

    return lift
