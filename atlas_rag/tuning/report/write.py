"""Everything into one folder."""

from __future__ import annotations

from pathlib import Path

from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.context import Context
from atlas_rag.tuning.report.files import (
    write_per_query,
    write_to_judge,
    write_trec_run,
    write_unreachable,
    write_weights,
)
from atlas_rag.tuning.report.page import html_report


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
    write_weights(weights, tuning, context)
    write_per_query(table, tuning.outcomes, context.texts)
    write_unreachable(lost, tuning.unreachable, context.texts)
    judge = place / "to_judge.csv"
    write_to_judge(judge, context)
    runs = []
    equal = dict.fromkeys(tuning.weights, 1.0)
    for name, problem, held, chosen in (
        ("equal", tuning.current, tuning.held_current, equal),
        ("recommended", tuning.problem, tuning.held, dict(tuning.weights)),
    ):
        run = place / f"{name}.trec"
        ranking = problem.ranking(chosen)
        if held:
            ranking |= held.ranking(chosen)
        write_trec_run(run, ranking, name)
        runs.append(run)
    return [page, weights, table, lost, *runs, judge]
