"""Tunings of made-up runs, and contexts for their reports."""

from __future__ import annotations

import functools

from atlas_rag.tuning.collect import TradeOff
from atlas_rag.tuning.data import QuerySet
from atlas_rag.tuning.diagnosis import calibrate_threshold
from atlas_rag.tuning.procedure import Settings, Tuning, tune
from atlas_rag.tuning.report import Context
from tests.support.populations import noisy
from tests.support.synthetic import synthetic


@functools.cache
def tuned(
    pipelines: int, queries: int = 60, holdout: float = 0.3, strengths: tuple[float, ...] = ()
) -> Tuning:
    """A tuning; with strengths, of input pipelines that see so well (see `populations.noisy`)."""
    if strengths:
        runs, judgments = noisy(strengths, queries, 2)
    else:
        runs, judgments = synthetic(queries=queries, depth=30, pipelines=pipelines, seed=2)
    asked = QuerySet.of({query: f"<text> & {query}" for query in runs.queries})
    settings = Settings(holdout=holdout, repeats=3, draws=4, seconds=5)
    return tune(runs, judgments, asked, settings)


def context(tuning: Tuning) -> Context:
    return Context(
        "A <title>",
        {query: f"<text> & {query}" for query in tuning.problem.queries},
        {"a": calibrate_threshold(tuning.problem, "precision", 0.5, pipeline="a")},
        [TradeOff("100", 0.9, 0.004, 0.01), TradeOff("exact", 1.0, 0.02, 0.03)],
        [["setting", "equal"], ["depth 10", "0.5"]],
        {"release": "8.2"},
    )
