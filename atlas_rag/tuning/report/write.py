"""Everything into one folder."""

from __future__ import annotations

from pathlib import Path

from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.files import (
    write_per_query,
    write_trec_run,
    write_unreachable,
    write_weights,
)
from atlas_rag.tuning.report.page import Context, html_report


def write_report(folder: str | Path, tuning: Tuning, context: Context) -> list[Path]:
    """Writes report.html, weights.json, two tables, and TREC runs of equal and recommended weights.

    Returns:
        The files, in the order in which a person would open them.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    page, weights, table = place / "report.html", place / "weights.json", place / "per_query.csv"
    lost = place / "unreachable.csv"
    page.write_text(html_report(tuning, context), encoding="utf-8")
    write_weights(weights, tuning, context.facts)
    write_per_query(table, tuning.outcomes, context.texts)
    write_unreachable(lost, tuning.unreachable, context.texts)
    runs = []
    for name, chosen in (("equal", {}), ("recommended", tuning.weights)):
        run = place / f"{name}.trec"
        ranking = tuning.problem.ranking(chosen)
        if tuning.held:
            ranking |= tuning.held.ranking(chosen)
        write_trec_run(run, ranking, name)
        runs.append(run)
    return [page, weights, table, lost, *runs]
