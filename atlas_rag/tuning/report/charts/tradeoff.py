"""What quality costs in time."""

from __future__ import annotations

from collections.abc import Sequence

from atlas_rag.tuning.collect.candidates import TradeOff
from atlas_rag.tuning.report.svg import BLUE, FAINT, Frame, short, svg, tag, text


def tradeoff_chart(points: Sequence[TradeOff]) -> str:
    """Recall over latency: a dot at the median, a whisker to the 95th percentile."""
    slowest = max(point.p95 for point in points) * 1000
    worst = min(point.recall for point in points)
    frame = Frame(
        (0.0, slowest * 1.05), (min(worst - (1 - worst) * 0.5, 0.98), 1.0 + (1 - worst) * 0.1 + 0.001)
    )
    parts = frame.axes(
        "milliseconds per request: median (dot) to 95th percentile", "recall against exact search"
    )
    for row, point in enumerate(sorted(points, key=lambda point: point.p50)):
        x, y = frame.at(point.p50 * 1000, point.recall)
        end = frame.across(point.p95 * 1000)
        parts.append(tag("line", x1=short(x), x2=short(end), y1=short(y), y2=short(y), stroke=FAINT))
        parts.append(tag("circle", cx=short(x), cy=short(y), r=5, fill=BLUE))
        level = y + 22 + 16 * (row % 4)  # neighbours are often close: their names go on lines of their own
        parts.append(tag("line", x1=short(x), x2=short(x), y1=short(y), y2=short(level), stroke=FAINT))
        right = x > frame.width * 0.7
        words = f"{point.label}: {point.recall:.3f}"
        parts.append(text(x - 4 if right else x + 4, level, words, anchor="end" if right else "start"))
    return svg(frame.width, frame.height, parts, "Recall against latency")
