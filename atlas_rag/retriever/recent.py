"""The order of hits where what is new is lifted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from atlas_rag.hits import Hit
from atlas_rag.plan import Cause
from atlas_rag.query.after import Recency
from atlas_rag.retriever.selecting import scaled_scores
from atlas_rag.retriever.trace import Trace

DAY = dt.timedelta(days=1)


def by_recency(hits: Sequence[Hit], recency: Recency, trace: Trace) -> list[int]:
    """The places of hits in their new order; of equal values the hit that was ranked first is taken.

    Formula: see `Recency`.
    """
    now = dt.datetime.now(dt.UTC)
    ages = [_age(hit, recency.path, now) for hit in hits]
    dated = [age for age in ages if age is not None]
    if len(dated) < len(hits):
        text = (
            f"{len(hits) - len(dated)} of {len(hits)} candidates have no date at {recency.path}: not lifted"
        )
        trace.note(Cause.RECENCY_IMPAIRED, text, recency.path)
    lifts = [0.0 if age is None else recency.weight * 0.5 ** (age / recency.half_life) for age in ages]
    values = [relevance + lift for relevance, lift in zip(scaled_scores(hits), lifts, strict=True)]
    return sorted(range(len(hits)), key=lambda place: -values[place])


def _age(hit: Hit, path: str, now: dt.datetime) -> float | None:
    """Days since the date at a path, 0 for one to come; None where there is no date."""
    value = hit.value_at(path)
    if not isinstance(value, dt.datetime):
        return None
    aware = value if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)
    return max(0.0, (now - aware) / DAY)
