"""What the commands of tuning print."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from atlas_rag.tuning.procedure import Tuning


def say(line: str) -> None:
    """Progress on the error stream: one changing line on a terminal, else the phases only."""
    if sys.stderr.isatty():
        typer.echo(f"\r\033[K{line}", nl=False, err=True)
    elif ":" not in line:
        typer.echo(line, err=True)


def as_text(tuning: Tuning) -> list[str]:
    """The verdict, the weights, and a table of the choices, as lines."""
    verdict = tuning.verdict
    lines = ["", verdict.sentence, verdict.hybrid, ""]
    lines.append(f"recommended ({verdict.recommended.alternative}): {_weights(tuning.weights)}")
    guess = dict(zip(tuning.problem.pipelines, map(float, verdict.guess.weights), strict=True))
    lines.append(f"best guess ({verdict.guess.alternative}): {_weights(guess)}")
    if test := tuning.holdout_test:
        lines.append(
            f"on the hold-out ({test.queries} queries): {test.difference:+.4f}, p = {test.p_student:.2g}"
        )
    lines.append(f"{'choice':<32}{'tuning':>9}{'cross-validated':>17}{'hold-out':>10}")
    for row in tuning.rows:
        validated, held = (
            f"{value:.4f}" if value is not None else "-" for value in (row.validated, row.held_out)
        )
        lines.append(f"{row.name:<32}{row.tuning:>9.4f}{validated:>17}{held:>10}")
    return [*lines, *(f"note: {line}" for line in tuning.warnings)]


def _weights(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {weight:.4g}" for name, weight in weights.items())
