"""Whether the tuner's claims are true, by simulation with known truth.

    python -m scripts.bench.honesty [--data FOLDER] [--runs 200]

Seeds are fixed. `--data` names the folder that holds the collections `cranfield` and `scifact`: real runs,
swapped query by query so that neither pipeline is better, join the made-up ones. Take 200 runs for the
table; fewer for a look.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.named import FUSIONS
from atlas_rag.tuning.selection import Alternatives, nest
from scripts.bench.table import Figure, show
from tests.support.corpora import collected, training
from tests.support.honesty import Claim, claims, coverage, inflation, moves, says_single, thresholds_met
from tests.support.populations import Population, made_up, noisy, swapped
from tests.support.synthetic import synthetic

NULL, SMALL, LARGE = (2.0, 2.0), (1.75, 2.25), (1.5, 2.45)
USELESS = ((0.0, 2.4), (0.4, 2.2))
SIZES = (50, 100, 200)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="folder of the collections")
    parser.add_argument("--runs", type=int, default=200, help="samples for each line")
    options = parser.parse_args()
    figures = [*nulls(options.data, options.runs), *effects(options.runs), *useless(options.runs)]
    figures += [*thresholds(options.data, options.runs), nested_time()]
    show(f"honesty of tuning: {options.runs} samples a line", figures)


def nulls(data: Path | None, runs: int) -> list[Figure]:
    """Nothing to gain: how often equal weights are left, and what intervals hold."""
    populations: dict[str, Population] = {"made up": made_up(NULL)}
    if data:
        scifact, cranfield = (FusionProblem(*pair(name, data)) for name in ("scifact", "cranfield"))
        train = FusionProblem(*training(data / "scifact"))
        populations |= {
            "scifact, swapped": swapped([scifact, train]),
            "cranfield, swapped": swapped([cranfield]),
        }
    figures = []
    for name, population in populations.items():
        found = claims(population, SIZES, runs, seed=1)
        figures.append(Figure(f"null, {name}: moves off equal", 100 * moves(found), 5, "%"))
        figures.append(Figure(f"null, {name}: coverage", 100 * coverage(found), 93, "%", at_least=True))
    return figures


def effects(runs: int) -> list[Figure]:
    """Something to gain: what intervals hold, how much is claimed, how often it is seen."""
    small, large = (claims(made_up(strengths), (100,), runs, seed=2) for strengths in (SMALL, LARGE))
    mixed = claims(made_up(SMALL), SIZES, runs, seed=3)
    return [
        Figure(
            f"true gain {mean(mixed):.3f}, 50-200 queries: coverage", 100 * coverage(mixed), 93, "%", True
        ),
        Figure(f"true gain {mean(small):.3f}, 100 queries: coverage", 100 * coverage(small), 93, "%", True),
        Figure(f"true gain {mean(large):.3f}, 100 queries: coverage", 100 * coverage(large), 93, "%", True),
        Figure(f"true gain {mean(small):.3f}, 100 queries: reported / true", inflation(small), 1.5, ""),
        Figure(f"true gain {mean(large):.3f}, 100 queries: power", 100 * moves(large), 55, "%", True),
    ]


def mean(found: list[Claim]) -> float:
    """The mean true gain of what was chosen."""
    return sum(claim.true for claim in found) / len(found)


def useless(runs: int) -> list[Figure]:
    """One pipeline of two finds next to nothing: is that said?"""
    figures = []
    for strengths in USELESS:
        said = says_single(claims(made_up(strengths), SIZES, runs, seed=4))
        words = f"one useless of two (strength {strengths[0]}): single as good or better"
        figures.append(Figure(words, 100 * said, 90, "%", True))
    return figures


def thresholds(data: Path | None, runs: int) -> list[Figure]:
    """Thresholds with a confidence of 90 % on the other half of the queries."""
    made = FusionProblem(*synthetic(queries=200, depth=40, pipelines=2, seed=6))
    tried = [("made up", made, "recall", 0.5, None), ("made up", made, "precision", 0.15, "a")]
    if data:
        scifact = FusionProblem(*pair("scifact", data))
        tried += [
            ("scifact", scifact, "recall", 0.8, "vector"),
            ("scifact", scifact, "recall", 0.9, None),
            ("scifact", scifact, "precision", 0.2, "vector"),
        ]
    figures = []
    for name, problem, goal, target, pipeline in tried:
        met, count = thresholds_met(problem, goal, target, pipeline, runs=runs, confidence=0.9)  # type: ignore[arg-type]
        words = f"{name}, {goal} {target} of {pipeline or 'fused'} met on {count} fresh halves"
        figures.append(Figure(words, 100 * met, 88, "%", at_least=True))
    return figures


def nested_time() -> Figure:
    """A nested 10 × 5 cross-validation of all rules and three fusions over 300 queries."""
    runs, judgments = noisy(SMALL, 300, 3, depth=100)
    names = ("rank", "score:sigmoid", "score:minMaxScaler")
    begin = time.process_time()
    alternatives = Alternatives.of(
        {name: FusionProblem(runs, judgments, fusion=FUSIONS[name]) for name in names}
    )
    nest(alternatives, folds=10, repeats=5)
    return Figure("nested 10 x 5, three fusions, 300 queries", time.process_time() - begin, 60, "s")


def pair(name: str, data: Path) -> tuple:
    """Keyword and vector runs of a collection, and its judgments."""
    runs, judgments, _ = collected(name, data / name)
    return runs.only(["keyword", "vector"]), judgments


if __name__ == "__main__":
    main()
