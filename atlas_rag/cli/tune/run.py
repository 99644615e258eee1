"""`atlas-rag tune`: an experiment file, from the data to the report."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atlas_rag.cli import places
from atlas_rag.errors import AtlasRagError

if TYPE_CHECKING:
    from atlas_rag.tuning.experiment import ExperimentResult

NOT_REPRODUCED, UNUSABLE = 1, 2
"""Exit codes: an expected value was not found; the experiment could not run."""


def command(
    file: Annotated[Path, typer.Argument(help="The experiment, such as pipelines/experiments/scifact.toml.")],
    data: Annotated[
        Path | None, typer.Option(help="Folder of its data, instead of the one it names.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the report; .atlas_rag/reports/NAME by default.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder that keeps what was collected.")] = None,
    uri: Annotated[
        str | None, typer.Option(help="A deployment, instead of the engine in this process.")
    ] = None,
    verify: Annotated[int, typer.Option(min=0, help="Queries whose live fusion is compared with ours.")] = 0,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Ask nothing; refuse whatever changed since the cache was filled."),
    ] = False,
    fusion: Annotated[
        list[str] | None,
        typer.Option(
            help="rank, score:none, score:sigmoid or score:minMaxScaler; repeat to choose from several."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="An index whose dangerous change is wanted; may be repeated.")
    ] = None,
    simulate_loss: Annotated[
        bool, typer.Option("--simulate-loss", help="In process, approximate searches may miss hits.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Find fusion weights, and whether leaving equal weights is justified at all.

    Leaves with 0, with 1 where an expected value of the file was not reproduced, with 2 where it cannot run.

    Example: atlas-rag tune pipelines/experiments/scifact.toml --verify 20
    """
    from atlas_rag.tuning.experiment import Experiment, run_experiment

    try:
        experiment = Experiment.read(file, data=data)
        if fusion:
            experiment = experiment.with_fusions(fusion)
        folder = out or places.folder() / "reports" / experiment.name
        with places.client(uri, places.folder() / "experiments", simulate_loss=simulate_loss) as client:
            result = run_experiment(
                experiment,
                client,
                folder,
                cache=cache,
                history=places.history(experiment.name),
                verify=verify,
                offline=offline,
                allow=allow or (),
                say=_say,
            )
    except (AtlasRagError, OSError) as error:
        typer.echo(f"cannot tune: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error
    typer.echo(json.dumps(_as_json(result), indent=2, ensure_ascii=False) if as_json else _as_text(result))
    raise typer.Exit(0 if result.reproduced else NOT_REPRODUCED)


def _say(line: str) -> None:
    """Progress on the error stream: one changing line on a terminal, else the phases only."""
    if sys.stderr.isatty():
        typer.echo(f"\r\033[K{line}", nl=False, err=True)
    elif ":" not in line:
        typer.echo(line, err=True)


def _as_text(result: ExperimentResult) -> str:
    tuning = result.tuning
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
    lines += [f"note: {line}" for line in tuning.warnings]
    lines += [str(checked) for checked in result.expectations]
    if result.verified:
        lines.append(f"the deployment's $rankFusion gives our ids and scores in {result.verified} rankings")
    phases = ", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in result.seconds.items())
    return "\n".join([*lines, phases, f"report: {result.files[0]}"])


def _weights(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {weight:.4g}" for name, weight in weights.items())


def _as_json(result: ExperimentResult) -> dict[str, Any]:
    from atlas_rag.tuning.report.files import weights_document

    return {
        **weights_document(result.tuning, {}, result.thresholds),
        "expectations": [
            {**checked.expected.model_dump(exclude_none=True), "found": checked.found, "holds": checked.holds}
            for checked in result.expectations
        ],
        "latency": {
            name: {"requests": found.requests, "p50": found.p50, "p95": found.p95}
            for name, found in result.collected.latency.items()
        },
        "verified": result.verified,
        "seconds": dict(result.seconds),
        "files": [str(path) for path in result.files],
    }
