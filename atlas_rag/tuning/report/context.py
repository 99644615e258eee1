"""What a report says beside the tuning itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.tuning.collect.candidates import TradeOff
from atlas_rag.tuning.diagnosis import Threshold
from atlas_rag.tuning.diagnosis.judging import ToJudge


@dataclass(frozen=True)
class Context:
    """Everything but the tuning.

    Args:
        title: such as the experiment's name.
        texts: query id → text.
        thresholds: calibrated scores by name.
        tradeoffs: recall against latency, where it was measured.
        sweep: rows of the outer sweep (depth, rank constant, …) with a header row first.
        facts: what the collection depended on, shown at the end.
        latency: median seconds of a request, by input pipeline; empty where answers came from a cache.
        titles: text of a document's id → its title.
        previous: the record of the last run, see `experiment.history`.
        looks: how often the hold-out was looked at, this time included; 0 without one.
        exercised: what a measured recall was exercised on, in words.
        judging: documents to judge next, the most useful first.
    """

    title: str = "Fusion weights"
    texts: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    tradeoffs: Sequence[TradeOff] = ()
    sweep: Sequence[Sequence[str]] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    latency: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    previous: Mapping[str, Any] | None = None
    looks: int = 0
    exercised: str = ""
    judging: Sequence[ToJudge] = ()
