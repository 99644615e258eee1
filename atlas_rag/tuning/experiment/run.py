"""A whole experiment: load, collect, tune, verify, study, report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.tuning.collect import Collected, RunCache, fingerprint, verifying
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.expectations import Checked, Checker
from atlas_rag.tuning.experiment.session import Session
from atlas_rag.tuning.experiment.studies import context
from atlas_rag.tuning.experiment.watch import Say, Watch
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.procedure import Tuning, tune
from atlas_rag.tuning.report import write_report
from atlas_rag.wire import drive


@dataclass(frozen=True)
class ExperimentResult:
    """What an experiment found.

    Args:
        expectations: the file's expected values; all hold in a run that reproduces it.
        verified: rankings compared with the live `$rankFusion`, 0 if that was not asked for.
        seconds: by phase, in order.
    """

    tuning: Tuning
    collected: Collected
    expectations: tuple[Checked, ...]
    verified: int
    files: tuple[Path, ...]
    seconds: Mapping[str, float]

    @property
    def reproduced(self) -> bool:
        """Whether every expected value was found."""
        return all(checked.holds for checked in self.expectations)


def run_experiment(
    experiment: Experiment,
    client: Any,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    verify: int = 0,
    say: Say = lambda line: None,
) -> ExperimentResult:
    """Runs everything on the deployment of a client (PyMongo's or `LocalClient`); not inside an event loop.

    Args:
        out: folder for the report.
        cache: folder for the collected runs; None to keep none.
        verify: queries whose live `$rankFusion` is compared with the offline fusion, at equal and at the
            recommended weights; 0 for none.
        say: told of every phase and of progress, see `Watch`.
    """
    watch = Watch(say)
    with watch.phase("load and index"):
        session = Session.open(experiment, client)
    with watch.phase("collect"):
        store = RunCache.open(cache, fingerprint(session.request, session.facts)) if cache else None
        collected = session.collect(store, watch.progress)
    with watch.phase("tune"):
        tuning = tune(collected.runs, session.judgments, session.queries, session.settings)
    with watch.phase("verify"):
        verified = _verify(session, collected, tuning, verify)
    with watch.phase("study"):
        checked = _check(session, collected)
        shown = context(session, collected, tuning)
    with watch.phase("report"):
        files = write_report(out, tuning, shown)
    return ExperimentResult(tuning, collected, tuple(checked), verified, tuple(files), watch.seconds)


def _verify(session: Session, collected: Collected, tuning: Tuning, sample: int) -> int:
    if not sample:
        return 0
    problem = FusionProblem(collected.runs, session.judgments, tuning.problem.measure)
    flow = verifying(problem, session.request, [{}, tuning.weights], sample=sample)
    return drive(flow, session.engine)


def _check(session: Session, collected: Collected) -> list[Checked]:
    experiment = session.experiment
    checker = Checker(
        collected.runs,
        session.judgments,
        experiment.measures.optimise,
        folds=experiment.split.folds,
        repeats=experiment.split.repeats,
        seed=experiment.seed,
    )
    return checker.check(experiment.expect)
