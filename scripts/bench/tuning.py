"""The numbers of the tuner: speed, exactness, memory, certificate, a whole experiment.

    python -m scripts.bench.tuning [--data FOLDER] [--ranx PYTHON]

`--data` names the folder that holds the collections `cranfield` and `scifact`. `--ranx` names a Python that
has ranx (no dependency of this project): its grid search then runs on the same lists. Times are of the
processor, the best of several runs.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from atlas_rag import LocalClient
from atlas_rag.tuning.data import Judgments, RankedLists, Runs
from atlas_rag.tuning.experiment import Experiment, run_experiment
from atlas_rag.tuning.optimum import optimum, sweep
from atlas_rag.tuning.optimum.sweep import NARROWEST
from atlas_rag.tuning.problem import FusionProblem
from scripts.bench.table import Figure, show
from tests.support.corpora import EXPERIMENTS, collected
from tests.support.synthetic import synthetic

RANX_TRIALS = {2: 11, 3: 62}
"""Weightings that ranx tries at steps of .1 (its grid of three misses 4 of 66)."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder of the collections")
    parser.add_argument("--ranx", metavar="PYTHON", help="a Python that has ranx")
    options = parser.parse_args()
    figures = [*two_pipelines(options.ranx), *three_pipelines(options.ranx), *memory()]
    if options.data:
        figures += [*certificate(options.data), *experiment(options.data)]
    show("tuning: 500 queries x 100 documents unless said otherwise", figures)


def two_pipelines(ranx: str | None) -> list[Figure]:
    """Every plateau, and whether each has the value of its middle."""
    runs, judgments = synthetic(queries=500, depth=100, pipelines=2, seed=1, relevant=5)
    problem = prepared(runs, judgments)
    line = sweep(problem, [0, 1], [1, 0])
    wide = np.flatnonzero(np.diff(line.edges) >= NARROWEST)
    middles = (line.edges[wide] + line.edges[wide + 1]) / 2
    dense = problem.mean(np.stack([middles, 1 - middles], axis=1))
    error = float(np.abs(line.values[wide] - dense).max())
    milliseconds = best_of(7, partial(optimum, problem)) * 1000
    figures = [
        Figure(
            "problem from runs, 2 pipelines", best_of(3, partial(prepared, runs, judgments)) * 1000, 250, "ms"
        ),
        Figure("exact optimum, 2 pipelines", milliseconds, 15, "ms"),
        Figure(f"sweep against {len(wide)} dense evaluations", error, 1e-12, ""),
    ]
    if ranx:
        ratio = ranx_seconds(ranx, runs, judgments) * 1000 / milliseconds
        figures.append(Figure("exact optimum against ranx's 11 points", ratio, 60, "x", at_least=True))
    return figures


def three_pipelines(ranx: str | None) -> list[Figure]:
    """Weightings scattered over the simplex."""
    runs, judgments = synthetic(queries=500, depth=100, pipelines=3, seed=1, relevant=5)
    problem = prepared(runs, judgments)
    points = np.random.default_rng(0).dirichlet(np.ones(3), 3000)
    rate = len(points) / best_of(3, partial(problem.per_query, points))
    figures = [Figure("weightings a second, 3 pipelines", rate, 3000, "/s", at_least=True)]
    if ranx:
        ratio = rate * ranx_seconds(ranx, runs, judgments) / RANX_TRIALS[3]
        figures.append(Figure("weightings against ranx, 3 pipelines", ratio, 200, "x", at_least=True))
    return figures


def memory() -> list[Figure]:
    """Peak of a process that builds and evaluates 10,000 queries × 100 × 3."""
    code = "from scripts.bench.tuning import large; large()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [Figure("10,000 queries x 100 x 3, peak memory", float(done.stdout), 1024, "MB")]


def large() -> None:
    """Prints the peak of resident memory in megabytes."""
    base, judged = synthetic(queries=500, depth=100, pipelines=3, seed=1, relevant=5)
    copies = range(20)
    names = tuple(f"{query}.{copy}" for copy in copies for query in base.queries)
    grades = {f"{query}.{copy}": judged.grades[query] for copy in copies for query in base.queries}
    lists = {name: repeated(ranked, len(copies)) for name, ranked in base.lists.items()}
    problem = prepared(Runs(names, base.documents, lists), Judgments(grades))
    problem.mean(np.random.default_rng(0).dirichlet(np.ones(3), 200))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def repeated(ranked: RankedLists, copies: int) -> RankedLists:
    """The same lists for so many times as many queries."""
    steps = np.tile(np.diff(ranked.start), copies)
    start = np.concatenate(([0], np.cumsum(steps))).astype(np.int32)
    return RankedLists(
        start, *(np.tile(rows, copies) for rows in (ranked.document, ranked.rank, ranked.score))
    )


def certificate(data: Path) -> list[Figure]:
    """Cranfield with keyword, title and vector of the in-process engine."""
    runs, judgments, _ = collected("cranfield", data / "cranfield")
    problem = prepared(runs, judgments)
    begin = time.process_time()
    best = optimum(problem, seconds=60)
    seconds = time.process_time() - begin
    gap = best.certificate.gap if best.certificate else float("inf")
    return [
        Figure("certified optimum, cranfield, 3 pipelines", seconds, 5, "s"),
        Figure(f"gap of the certificate at {best.value:.6f}", gap, 0, ""),
    ]


def experiment(data: Path) -> list[Figure]:
    """Load, index, collect 300 queries × 2, tune, study, report."""
    scifact = Experiment.read(EXPERIMENTS / "scifact.toml", data=data / "scifact")
    with tempfile.TemporaryDirectory() as folder, LocalClient() as client:
        begin = time.perf_counter()
        result = run_experiment(scifact, client, folder)
        seconds = time.perf_counter() - begin
    missed = sum(not checked.holds for checked in result.expectations)
    return [
        Figure("whole experiment on scifact, in process", seconds, 90, "s"),
        Figure(f"expected values missed, of {len(result.expectations)}", missed, 0, ""),
    ]


def prepared(runs: Runs, judgments: Judgments) -> FusionProblem:
    """A problem with its pairs compared."""
    problem = FusionProblem(runs, judgments)
    problem.pairs(range(len(problem.pipelines)))
    return problem


def ranx_seconds(python: str, runs: Runs, judgments: Judgments) -> float:
    """Seconds that ranx takes for its grid on the same lists."""
    lists = [
        {query: {str(doc): score for doc, score in runs.ranked(name, query)} for query in runs.queries}
        for name in runs.pipelines
    ]
    qrels = {query: judgments.relevant(query) for query in judgments.queries}
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.json"
        data.write_text(json.dumps({"qrels": qrels, "runs": lists}), encoding="utf-8")
        script = Path(__file__).with_name("ranx_grid.py")
        done = subprocess.run([python, str(script), str(data)], capture_output=True, text=True, check=True)
    return float(done.stdout.strip().splitlines()[-1])


def best_of(times: int, action: Callable[[], object]) -> float:
    """Seconds of processor time of the fastest of several calls."""
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        action()
        seconds.append(time.process_time() - begin)
    return min(seconds)


if __name__ == "__main__":
    main()
