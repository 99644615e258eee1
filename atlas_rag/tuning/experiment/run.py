"""A whole experiment: load, collect, tune, check, report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.engines.choose import engine_for
from atlas_rag.tuning.collect import (
    Collected,
    Request,
    RunCache,
    TradeOff,
    candidate_study,
    collect,
    fingerprint,
    verifying,
)
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.diagnosis import Threshold, calibrate_threshold
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.expectations import Checked, Checker
from atlas_rag.tuning.experiment.load import judgments, load, queries, query_vectors
from atlas_rag.tuning.experiment.outer import outer_sweep
from atlas_rag.tuning.experiment.templates import from_template
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.report import Context, write_report
from atlas_rag.tuning.tune import Settings, Tuning, tune
from atlas_rag.wire import Command, Engine, drive

Say = Callable[[str], None]


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
    """Runs everything on the deployment of a client (PyMongo's or `LocalClient`).

    Args:
        out: folder for the report.
        cache: folder for the collected runs; None to keep none.
        verify: queries whose live `$rankFusion` is compared with the offline fusion, before tuning at equal
            weights and afterwards at the recommended ones.
        say: told of every phase and of progress.
    """
    watch = _Watch(say)
    collection = client[experiment.collect.database][experiment.collect.collection]
    engine = engine_for(collection)
    with watch("load and index"):
        count = load(experiment, collection)
        asked = queries(experiment)
        judged = judgments(experiment, asked)
    request = _request(experiment, asked)
    facts = _facts(experiment, engine, count)
    with watch("collect"):
        store = RunCache.open(cache, fingerprint(request, facts)) if cache else None
        collected = collect(engine, request, cache=store, progress=watch.progress)
    with watch("tune"):
        tuning = tune(collected.runs, judged, asked, _settings(experiment))
    verified = 0
    if verify:
        with watch("verify"):
            problem = FusionProblem(collected.runs, judged, tuning.problem.measure)
            verified = drive(verifying(problem, request, [{}, tuning.weights], sample=verify), engine)
    with watch("study"):
        context = _context(experiment, engine, request, collected, judged, tuning, facts)
        checker = Checker(
            collected.runs,
            judged,
            experiment.measures.optimise,
            folds=experiment.split.folds,
            repeats=experiment.split.repeats,
            seed=experiment.seed,
        )
        checked = checker.check(experiment.expect)
    with watch("report"):
        files = write_report(out, tuning, context)
    return ExperimentResult(tuning, collected, tuple(checked), verified, tuple(files), watch.seconds)


class _Watch:
    """Seconds by phase; also passes progress on."""

    def __init__(self, say: Say) -> None:
        self.seconds: dict[str, float] = {}
        self._say, self._phase, self._begin = say, "", 0.0

    def __call__(self, phase: str) -> _Watch:
        self._phase = phase
        return self

    def __enter__(self) -> None:
        self._say(self._phase)
        self._begin = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds[self._phase] = time.perf_counter() - self._begin

    def progress(self, done: int, total: int) -> None:
        passed = time.perf_counter() - self._begin
        rate = done / passed if passed else 0.0
        left = (total - done) / rate if rate else 0.0
        self._say(f"{self._phase}: {done} of {total} requests, {rate:.0f} a second, {left:.0f} s left")


def _request(experiment: Experiment, asked: QuerySet) -> Request:
    vectors = query_vectors(experiment)
    collect_ = experiment.collect
    return Request(
        collect_.collection,
        asked,
        {name: from_template(stages, vectors) for name, stages in experiment.pipelines.items()},
        depth=collect_.depth,
        concurrency=collect_.concurrency,
        one_request=collect_.one_request,
    )


def _facts(experiment: Experiment, engine: Engine, count: int) -> dict[str, Any]:
    """What rankings depend on: for the fingerprint and for the report."""
    build = engine.run(Command({"buildInfo": 1}, database="admin")).body
    return {
        "experiment": f"{experiment.name} {experiment.version}",
        "recipe": f"{experiment.recipe.name} {experiment.recipe.version}" if experiment.recipe else "",
        "documents": count,
        "fields": experiment.data.fields,
        "indexes": [index.model_dump() for index in experiment.indexes],
        "model": experiment.data.vectors.model if experiment.data.vectors else "",
        "release": str(build.get("version", "")),
    }


def _settings(experiment: Experiment) -> Settings:
    return Settings(
        measure=experiment.measures.optimise,
        also=experiment.measures.also,
        holdout=experiment.split.holdout,
        folds=experiment.split.folds,
        repeats=experiment.split.repeats,
        rules=experiment.search.rules,
        seconds=experiment.search.certificate_seconds,
        seed=experiment.seed,
    )


def _context(
    experiment: Experiment,
    engine: Engine,
    request: Request,
    collected: Collected,
    judged: Judgments,
    tuning: Tuning,
    facts: Mapping[str, Any],
) -> Context:
    latency = {
        name: f"{found.requests} requests, p50 {found.p50 * 1000:.1f} ms, p95 {found.p95 * 1000:.1f} ms"
        for name, found in collected.latency.items()
    }
    return Context(
        title=f"{experiment.name} {experiment.version}",
        texts={query.id: query.text for query in request.queries},
        thresholds=_thresholds(experiment, tuning),
        tradeoffs=_tradeoffs(experiment, engine, request),
        sweep=_sweep_rows(experiment, collected, judged),
        facts={**facts, "latency": latency},
    )


def _thresholds(experiment: Experiment, tuning: Tuning) -> dict[str, Threshold]:
    return {
        goal.score: calibrate_threshold(
            tuning.problem,
            goal.goal,
            goal.target,
            pipeline=None if goal.score == "fused" else goal.score,
            weights=tuning.weights,
            seed=experiment.seed,
        )
        for goal in experiment.thresholds
    }


def _tradeoffs(experiment: Experiment, engine: Engine, request: Request) -> list[TradeOff]:
    study = experiment.search.candidates
    return candidate_study(engine, request, study.pipeline, study.values) if study else []


def _sweep_rows(experiment: Experiment, collected: Collected, judged: Judgments) -> list[list[str]]:
    search = experiment.search
    if not (search.depths or search.rank_constants):
        return []
    results = outer_sweep(
        collected.runs,
        judged,
        experiment.measures.optimise,
        depths=search.depths,
        rank_constants=search.rank_constants,
    )
    head = ["setting", "equal weights", "best weights (seen)", *collected.runs.pipelines]
    rows = [
        [
            one.setting,
            f"{one.equal:.4f}",
            f"{one.best:.4f}",
            *(f"{weight:.3f}" for weight in one.weights.values()),
        ]
        for one in results
    ]
    return [head, *rows]
