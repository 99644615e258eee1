"""What an experiment looks at beside the weights: settings, candidates, thresholds."""

from __future__ import annotations

from atlas_rag.tuning.collect import Collected, TradeOff, candidate_study
from atlas_rag.tuning.diagnosis import Threshold, calibrate_threshold
from atlas_rag.tuning.experiment.outer import outer_sweep
from atlas_rag.tuning.experiment.session import Session
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report import Context


def context(session: Session, collected: Collected, tuning: Tuning) -> Context:
    """Everything that the report says beside the tuning."""
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
