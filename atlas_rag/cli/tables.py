"""Results as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from atlas_rag.hits import Hit
from atlas_rag.retriever import Result

WIDTHS = {"#": 2, "score": 8, "kind": 11}
"""Characters that a column keeps on a narrow terminal; titles give way."""


def result_table(result: Result, title_path: str = "name") -> Table:
    """One row per hit: rank, score, kind, rank per input pipeline, title."""
    evidence = result.evidence
    names = list(evidence.inputs) if len(evidence.inputs) > 1 else []
    title = f"{evidence.executed_mode} · {evidence.route}"
    table = Table(title=title, title_justify="left", pad_edge=False)
    for column in ("#", "score", "kind", *(f"{name} rank" for name in names), "title"):
        left, shrinks = column in ("kind", "title"), column == "title"
        table.add_column(
            column,
            justify="left" if left else "right",
            no_wrap=True,
            min_width=None if shrinks else WIDTHS.get(column, len(column)),
        )
    for hit in result.hits:
        table.add_row(*_cells(hit, names, title_path))
    return table


def _cells(hit: Hit, names: Sequence[str], title_path: str) -> list[str]:
    score = "unscored" if hit.score is None else f"{hit.score.value:.5f}"
    kind = "" if hit.score is None else hit.score.kind.value.replace("_", " ")
    ranks = hit.ranks
    places = [str(ranks[name] or "–") for name in names]
    return [str(hit.rank), score, kind, *places, str(hit.value_at(title_path) or hit.id)]


def rejected_table(result: Result, title_path: str = "name") -> Table:
    """One row per candidate that came back and is no hit, with its reason."""
    table = Table(title="rejected candidates", title_justify="left", pad_edge=False)
    for column in ("#", "score", "reason", "title"):
        table.add_column(column)
    reasons = {candidate.rank: candidate.reason for candidate in result.evidence.candidates}
    for hit in result.rejected:
        score = "unscored" if hit.score is None else f"{hit.score.value:.5f}"
        title = str(hit.value_at(title_path) or hit.id)
        table.add_row(str(hit.rank), score, str(reasons[hit.rank]), title)
    return table
