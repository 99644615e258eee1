"""Which queries gain and which lose."""

from __future__ import annotations

from collections.abc import Sequence

from atlas_rag.tuning.diagnosis import QueryOutcome
from atlas_rag.tuning.report.svg import BLUE, INK, ORANGE, Frame, short, svg, tag, text


def win_loss_chart(outcomes: Sequence[QueryOutcome], measure: str) -> str:
    """One bar per query whose value changes: losses to the left, wins to the right."""
    changed = [outcome for outcome in outcomes if outcome.difference != 0]
    wins = sum(outcome.difference > 0 for outcome in changed)
    reach = max((abs(outcome.difference) for outcome in changed), default=1.0)
    frame = Frame((0.0, float(max(len(changed), 1))), (-reach, reach), height=260, top=36)
    width = (frame.width - frame.left - frame.right) / max(len(changed), 1)
    parts = frame.axes(f"{len(changed)} queries that change, sorted", f"change of {measure}", x_ticks=[])
    for place, outcome in enumerate(changed):
        top = min(frame.down(outcome.difference), frame.down(0.0))
        height = abs(frame.down(outcome.difference) - frame.down(0.0))
        colour = BLUE if outcome.difference > 0 else ORANGE
        shape = {"x": short(frame.across(place)), "y": short(top), "height": short(max(height, 0.5))}
        words = tag(
            "title", f"{outcome.query}: {outcome.before:.4f} to {outcome.after:.4f}".replace("<", "&lt;")
        )
        parts.append(tag("rect", words, width=short(max(width * 0.85, 0.6)), fill=colour, **shape))
    parts.append(frame.level(0.0, INK))
    parts.append(text(frame.left + 8, frame.top - 16, f"{len(changed) - wins} lose", fill=ORANGE))
    parts.append(text(frame.width - frame.right - 8, frame.top - 16, f"{wins} win", fill=BLUE, anchor="end"))
    same = len(outcomes) - len(changed)
    parts.append(text(frame.width / 2, frame.top - 16, f"{same} stay the same", anchor="middle"))
    return svg(frame.width, frame.height, parts, f"Change of {measure} by query")
