"""What tuning on fewer queries would have reached."""

from __future__ import annotations

import math
from collections.abc import Sequence

from atlas_rag.tuning.report.svg import BLUE, INK, ORANGE, TEAL, Frame, legend, svg
from atlas_rag.tuning.selection import LearningPoint

COLOURS = {"equal": INK, "one_se": TEAL, "bagged": BLUE, "argmax": ORANGE}


def learning_chart(points: Sequence[LearningPoint], measure: str) -> str:
    """Held-out mean by number of tuning queries, by rule; thin dashes are the worst twentieth of draws."""
    values = [value for point in points for value in (*point.mean.values(), *point.low.values())]
    room = (max(values) - min(values)) * 0.06 or 0.01
    sizes = [math.log10(point.queries) for point in points]
    frame = Frame((sizes[0], sizes[-1] + 1e-9), (min(values) - room, max(values) + room), right=28)
    names = list(points[0].mean)
    parts = frame.axes(
        "tuning queries (logarithmic)", f"held-out {measure}", sizes, lambda size: f"{10**size:.0f}"
    )
    for name in names:
        colour = COLOURS.get(name, INK)
        low = [(size, point.low[name]) for size, point in zip(sizes, points, strict=True)]
        mean = [(size, point.mean[name]) for size, point in zip(sizes, points, strict=True)]
        parts.append(frame.line(low, colour, stroke_width=1, stroke_dasharray="3 4"))
        parts.append(frame.line(mean, colour))
    entries = [(COLOURS.get(name, INK), "", name) for name in names]
    parts.append(legend(frame.left, frame.height + 14, entries))
    height = frame.height + 18 * (len(names) + 1)
    return svg(frame.width, height, parts, f"Held-out {measure} against the number of tuning queries")
