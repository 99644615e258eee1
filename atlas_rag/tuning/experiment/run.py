"""A whole experiment: load, collect, tune, verify, study, report."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect import Collected, RunCache, fingerprint, verifying
from atlas_rag.tuning.collect.keys import summary
from atlas_rag.tuning.diagnosis import Threshold
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.expectations import Checked, Checker
from atlas_rag.tuning.experiment.history import History
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
        thresholds: calibrated scores by name.
    """

    tuning: Tuning
    collected: Collected
    expectations: tuple[Checked, ...]
    verified: int
    files: tuple[Path, ...]
    seconds: Mapping[str, float]
    thresholds: Mapping[str, Threshold]

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
    history: str | Path | None = None,
    verify: int = 0,
    offline: bool = False,
    allow: Collection[str] = (),
    say: Say = lambda line: None,
) -> ExperimentResult:
    """Runs everything on the deployment of a client (PyMongo's or `LocalClient`); not inside an event loop.

    Args:
        out: folder for the report.
        cache: folder for the collected runs; None to keep none. Whatever an answer depends on (document,
            vector, query, stage, index definition, release) is part of its key: what changed is asked again.
        offline: use only what the cache holds; whatever changed since is refused.
        allow: names of indexes whose dangerous change is wanted, such as other dimensions.
        history: folder that keeps a record of each run; in `out` by default.
        verify: queries whose live `$rankFusion` is compared with the offline fusion, at equal and at the
            recommended weights; 0 for none.
        say: told of every phase and of progress, see `Watch`.
    """
    if offline and (verify or not cache):
        raise ExperimentError(
            "offline needs a cache, and cannot verify" if not cache else "offline cannot verify",
            expected="a cache that an earlier run has filled, and verify=0",
            next_step="leave --offline out, or name the cache with --cache",
        )
    watch = Watch(say)
    with watch.phase("load and index"):
        session = Session.open(experiment, client, offline=offline, allow=allow)
    with watch.phase("collect"):
        store = _open(cache, session) if cache else None
        if store and store.changes and not offline:
            say(f"collect: {summary(store.changes)} changed; what depends on it is asked again")
        collected = session.collect(store, watch.progress)
    with watch.phase("tune"):
        tuning = tune(collected.runs, session.judgments, session.queries, session.settings)
    with watch.phase("verify"):
        verified = _verify(session, collected, tuning, verify)
    with watch.phase("study"):
        checked = _check(session, collected)
        past = History(Path(history) if history else Path(out) / "history")
        shown = context(session, collected, tuning, previous=past.last(), looks=past.look(tuning))
    with watch.phase("report"):
        files = write_report(out, tuning, shown)
        past.add(tuning, session.facts)
    return ExperimentResult(
        tuning, collected, tuple(checked), verified, tuple(files), watch.seconds, shown.thresholds
    )


def _open(cache: str | Path, session: Session) -> RunCache:
    return RunCache.open(cache, fingerprint(session.request, session.depends), offline=session.offline)


def _verify(session: Session, collected: Collected, tuning: Tuning, sample: int) -> int:
    if not sample:
        return 0
    # live fusion is asked by rank, of the input pipelines that are in use now
    own = collected.runs.only(tuning.current.pipelines)
    problem = FusionProblem(own, session.judgments, tuning.problem.measure)
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
