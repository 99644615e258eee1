"""Tables of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from atlas_rag.tuning.diagnosis import QueryOutcome, Threshold
from atlas_rag.tuning.procedure import Tuning


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: int = 0) -> str:
    """An HTML table of plain cells; the last `numbers` columns are aligned as numbers."""

    def line(cells: Sequence[str], kind: str) -> str:
        first = len(cells) - numbers
        marked = (
            f"<{kind}{' class=number' if place >= first else ''}>{escape(cell)}</{kind}>"
            for place, cell in enumerate(cells)
        )
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<div class=wide><table><thead>{line(head, 'th')}</thead><tbody>{body}</tbody></table></div>"


def choices(tuning: Tuning) -> str:
    """Equal weights, single pipelines, rules and the optimum: on tuning, validated and held-out queries."""
    names = tuning.problem.pipelines
    also = list(tuning.rows[0].also)
    head = ["choice", *names, "tuning", "cross-validated", "held out", *also]
    rows = [
        [
            row.name,
            *(f"{weight:.4g}" for weight in row.weights),
            f"{row.tuning:.4f}",
            _four(row.validated),
            _four(row.held_out),
            *(f"{row.also[name]:.4f}" for name in also),
        ]
        for row in tuning.rows
    ]
    return table(head, rows, numbers=len(head) - 1)


def extremes(outcomes: Sequence[QueryOutcome], texts: Mapping[str, str], count: int = 8) -> str:
    """The queries that lose and win most, with the ranks that explain it."""
    losers = [outcome for outcome in outcomes[:count] if outcome.difference < 0]
    winners = [outcome for outcome in outcomes[::-1][:count] if outcome.difference > 0]
    rows = [
        [
            outcome.query,
            texts.get(outcome.query, ""),
            _story(outcome),
            f"{outcome.before:.3f}",
            f"{outcome.after:.3f}",
            f"{outcome.difference:+.3f}",
        ]
        for outcome in [*losers, *winners]
    ]
    head = ["query", "text", "relevant documents: rank by pipeline, fused before and after"]
    return table([*head, "equal", "recommended", "change"], rows, numbers=3)


def thresholds(found: Mapping[str, Threshold]) -> str:
    """Score thresholds by what was calibrated."""
    rows = [
        [
            name,
            f"{one.goal} ≥ {one.target:.2f}",
            "not reached" if one.score is None else f"{one.score:.5g}",
            "–" if one.interval is None else f"{one.interval[0]:.5g} to {one.interval[1]:.5g}",
            "–" if one.score is None else f"{one.precision:.3f}",
            "–" if one.score is None else f"{one.recall:.3f}",
            f"{one.kept:.1f}",
        ]
        for name, one in found.items()
    ]
    head = ["score of", "goal", "threshold", "90 % interval", "precision", "recall", "documents kept"]
    return table(head, rows, numbers=5)


LAST = 1 << 30
"""Rank of what is not found, for sorting."""


def _story(outcome: QueryOutcome) -> str:
    ordered = sorted(outcome.relevant, key=lambda found: min(found.before or LAST, found.after or LAST))
    parts = [
        ", ".join(f"{name} {rank or '–'}" for name, rank in found.ranks.items())
        + f": {found.before or '–'} → {found.after or '–'}"
        for found in ordered[:3]
    ]
    more = len(outcome.relevant) - len(parts)
    return " · ".join(parts) + (f" · and {more} more" if more > 0 else "")


def _four(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
