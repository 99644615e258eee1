"""Keeps reports for as long as the caller chooses, so that no query lists indexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.errors import CallError
from atlas_rag.query.refusal import known_names, shown
from atlas_rag.query.values import plain_number
from atlas_rag.wire import Clock, Flow
from atlas_rag.wire.pump import SYSTEM_CLOCK

if TYPE_CHECKING:
    from atlas_rag.capability.report import CapabilityReport

DEFAULT_LIFETIME = 300.0
CONFIRMED_FOR = 1.0
"""Seconds for which indexes that were just seen to be as reported are not looked at again."""


@known_names
class CapabilityCache:
    """One report per namespace, probed again once it is older than `lifetime`.

    Args:
        lifetime: seconds, ≥ 0; default 300; `float("inf")` keeps a report until `forget`.
        clock: source of monotonic seconds.
    """

    def __init__(self, lifetime: float = DEFAULT_LIFETIME, clock: Clock = SYSTEM_CLOCK) -> None:
        lifetime = plain_number(lifetime)
        if isinstance(lifetime, bool) or not isinstance(lifetime, (int, float)) or not lifetime >= 0:
            raise CallError(
                f"The lifetime is {shown(lifetime)}",
                expected="seconds, 0 or more",
                next_step=f"leave it out for {DEFAULT_LIFETIME:g} seconds",
            )
        self._lifetime = lifetime
        self._clock = clock
        self._reports: dict[str, tuple[float, CapabilityReport]] = {}
        self._confirmed: dict[str, float] = {}

    def fresh(self, namespace: str) -> CapabilityReport | None:
        """The report kept, if it is not too old."""
        kept = self._reports.get(namespace)
        if kept is not None and self._clock.time() - kept[0] < self._lifetime:
            return kept[1]
        return None

    def report(self, namespace: str) -> Flow[CapabilityReport]:
        """The report kept, or a new one."""
        report = self.fresh(namespace)
        if report is None:
            from atlas_rag.capability.probing import probe  # what probes loads with the first question

            report = yield from probe(namespace)
            self.put(report)
        return report

    def put(self, report: CapabilityReport) -> None:
        """Keeps a report from now on."""
        self._reports[report.namespace] = (self._clock.time(), report)

    def confirm(self, namespace: str) -> None:
        """Notes that the indexes are as the report says."""
        self._confirmed[namespace] = self._clock.time()

    def confirmed(self, namespace: str) -> bool:
        """Whether that was noted a moment ago, so that a busy service does not ask with every question."""
        noted = self._confirmed.get(namespace)
        return noted is not None and self._clock.time() - noted < CONFIRMED_FOR

    def forget(self, namespace: str | None = None) -> None:
        """Drops one report, or all."""
        if namespace is None:
            self._reports.clear()
        else:
            self._reports.pop(namespace, None)
