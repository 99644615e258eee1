"""What an experiment looks at beside the weights: settings, candidates, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.drivers.in_process import LocalEngine
from atlas_rag.tuning.collect import Collected, TradeOff, candidate_study
from atlas_rag.tuning.diagnosis import Threshold, calibrate_threshold
from atlas_rag.tuning.diagnosis.judging import to_judge
from atlas_rag.tuning.experiment.content import titles
from atlas_rag.tuning.experiment.outer import outer_sweep
from atlas_rag.tuning.experiment.session import Session
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report import Context


def context(
    session: Session,
    collected: Collected,
    tuning: Tuning,
    *,
    previous: Mapping[str, Any] | None = None,
    looks: int = 0,
) -> Context:
    """Everything that the report says beside the tuning.

    Args:
        previous: the record of the last run. looks: how often the hold-out was looked at, this time included.
    """
    experiment = session.experiment
    latency = {
        name: f"{found.requests} requests, p50 {found.p50 * 1000:.1f} ms, p95 {found.p95 * 1000:.1f} ms"
        for name, found in collected.latency.items()
    }
    return Context(
        title=f"{experiment.name} {experiment.version}",
        texts={query.id: query.text for query in session.queries},
        thresholds=_thresholds(session, tuning),
        tradeoffs=_tradeoffs(session),
        sweep=_sweep(session, collected),
        facts={**session.facts, "latency": latency},
        latency={name: found.p50 for name, found in collected.latency.items()},
        titles=titles(session.experiment, tuning),
        previous=previous,
        judging=to_judge(tuning.problem),
        exercised=_exercised(session),
        looks=looks,
    )


def _thresholds(session: Session, tuning: Tuning) -> dict[str, Threshold]:
    return {
        goal.score: calibrate_threshold(
            tuning.problem,
            goal.goal,
            goal.target,
            pipeline=None if goal.score == "fused" else goal.score,
            weights=tuning.weights,
            confidence=goal.confidence,
            seed=session.experiment.seed,
        )
        for goal in session.experiment.thresholds
    }


def _tradeoffs(session: Session) -> list[TradeOff]:
    study = session.experiment.search.candidates
    if study is None or session.offline:
        return []
    return candidate_study(session.engine, session.request, study.pipeline, study.values)


def _exercised(session: Session) -> str:
    """What the recall of the candidate study says something about."""
    if not isinstance(session.engine, LocalEngine):
        return "Measured on the deployment's own approximate search."
    if session.collection.deployment.simulate_loss:
        return "The in-process engine's stand-in for approximate loss: a model, not a deployment's recall."
    return (
        "The in-process engine scans everything, so nothing is lost: this says nothing about recall on a "
        "deployment (--simulate-loss shows a model of it, --uri measures one)."
    )


def _sweep(session: Session, collected: Collected) -> list[list[str]]:
    search = session.experiment.search
    if not (search.depths or search.rank_constants or search.least_scores):
        return []
    results = outer_sweep(
        collected.runs,
        session.judgments,
        session.experiment.measures.optimise,
        depths=search.depths,
        rank_constants=search.rank_constants,
        thresholds=[{}, *search.least_scores],
    )
    head = ["setting", "equal weights", "best weights (seen)", *collected.runs.pipelines]
    rows = [
        [
            one.setting,
            f"{one.equal:.4f}",
            f"{one.best:.4f}",
            *(f"{share:.3f}" for share in one.weights.values()),
        ]
        for one in results
    ]
    return [head, *rows]
