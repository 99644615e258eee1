"""Tables of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from atlas_rag.tuning.classes import ClassStudy
from atlas_rag.tuning.diagnosis import Threshold
from atlas_rag.tuning.diagnosis.judging import coverage_rows
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.context import Context
from atlas_rag.tuning.report.summary import query_item


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
    head = ["choice", "fusion", *names, "tuning", "cross-validated", "hold-out", *also]
    rows = [
        [
            row.name,
            row.alternative,
            *(f"{weight:.4g}" for weight in row.weights),
            f"{row.tuning:.4f}",
            _four(row.validated),
            _four(row.held_out),
            *(f"{row.also[name]:.4f}" for name in also),
        ]
        for row in tuning.rows
    ]
    return table(head, rows, numbers=len(head) - 2)


def extremes(tuning: Tuning, context: Context, count: int = 8) -> str:
    """The queries that lose and win most, with the titles and ranks that explain it."""
    losers = [outcome for outcome in tuning.outcomes[:count] if outcome.difference < 0]
    winners = [outcome for outcome in tuning.outcomes[::-1][:count] if outcome.difference > 0]
    return "".join(
        f"<h2>{title}</h2><ol class=losers>{''.join(query_item(one, tuning, context) for one in some)}</ol>"
        for title, some in (("Greatest losses", losers), ("Greatest gains", winners))
        if some
    )


def classes(study: ClassStudy) -> str:
    """Shrunken weights by class, and what they are worth on queries that took no part in the choice."""
    head = ["class", "queries", *study.pipelines, "equal", "weights of all", "own weights"]
    rows = [
        [
            row.name or "none",
            str(row.queries),
            *(f"{weight:.3f}" for weight in row.weights),
            *(f"{value:.4f}" for value in (row.equal, row.common, row.own)),
        ]
        for row in study.rows
    ]
    return table(head, rows, numbers=len(head) - 1)


def judged(tuning: Tuning) -> str:
    """How much of what is shown was judged, and the measure with and without unjudged documents."""
    rows = [
        [name, f"{share:.2f}", f"{plain:.4f}", f"{short:.4f}"]
        for name, share, plain, short in coverage_rows(tuning.problem)
    ]
    head = ["weights", "judged of the first ten", tuning.measure, "without unjudged documents"]
    return table(head, rows, numbers=3)


def judging(context: Context, count: int = 20) -> str:
    """The first documents to judge."""
    rows = [
        [
            context.texts.get(one.query, one.query),
            context.titles.get(str(one.document), str(one.document)),
            str(one.shown),
            str(one.rank),
        ]
        for one in context.judging[:count]
    ]
    words = (
        f"<p>{len(context.judging)} unjudged documents are among the first ten at equal weights or of a "
        "single input pipeline.</p>"
    )
    return words + table(["query", "document", "weightings that show it", "best rank"], rows, numbers=2)


def thresholds(found: Mapping[str, Threshold]) -> str:
    """Score thresholds by what was calibrated, on these queries and on halves that took no part."""
    rows = [
        [
            name,
            f"{one.goal} ≥ {one.target:.2f}" + (f", {one.confidence:.0%} sure" if one.confidence else ""),
            "not reached" if one.score is None else f"{one.score:.5g}",
            "–" if one.interval is None else f"{one.interval[0]:.5g} to {one.interval[1]:.5g}",
            "–" if one.score is None else f"{one.precision:.3f}",
            "–" if one.score is None else f"{one.recall:.3f}",
            "–" if one.validated is None else f"{one.validated:.3f}",
            "–" if one.met is None else f"{one.met:.0%}",
            f"{one.kept:.1f}",
        ]
        for name, one in found.items()
    ]
    capped = "".join(
        f"<p>The collected depth caps the recall of {escape(name)} at {one.attainable:.3f}: no threshold can "
        "reach its target.</p>"
        for name, one in found.items()
        if one.capped
    )
    head = ["score of", "goal", "threshold", "90 % interval", "precision", "recall"]
    return table([*head, "goal on other queries", "target met there", "documents kept"], rows, 7) + capped


def _four(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
