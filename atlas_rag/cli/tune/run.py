"""`atlas-rag tune`: an experiment file, from the data to the report."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atlas_rag.cli import places
from atlas_rag.cli.recipes import recipe as find_recipe
from atlas_rag.cli.tune import recipe as recipes
from atlas_rag.cli.tune.text import as_text, say
from atlas_rag.errors import AtlasRagError, CallError

if TYPE_CHECKING:
    from atlas_rag.tuning.experiment import ExperimentResult

NOT_REPRODUCED, UNUSABLE = 1, 2
"""Exit codes: an expected value was not found; the experiment could not run."""


def command(
    file: Annotated[
        Path,
        typer.Argument(help="A recipe (a name, or a .toml file), or an experiment such as scifact.toml."),
    ],
    queries: Annotated[
        Path | None, typer.Option(help="Of a recipe: the questions, as JSON lines, CSV or TSV.")
    ] = None,
    judgments: Annotated[
        Path | None, typer.Option(help="Of a recipe: BEIR (.tsv), CSV, JSON lines, or TREC qrels.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(help="Documents of a recipe, or the folder of an experiment's data."),
    ] = None,
    namespace: Annotated[
        str | None, typer.Option(help="Of a recipe: db.collection that is deployed, with --uri.")
    ] = None,
    runs: Annotated[
        list[Path] | None,
        typer.Option(help="Of a recipe: a TREC run named as its input pipeline, for each of them."),
    ] = None,
    condition: Annotated[
        str | None, typer.Option("--filter", help="Of a recipe: what every question may find, as JSON.")
    ] = None,
    embedder: Annotated[str | None, typer.Option(help="Of a recipe: default its own.")] = None,
    measure: Annotated[str, typer.Option(help="Of a recipe: what is maximised.")] = "nDCG@10",
    depth: Annotated[int, typer.Option(min=1, help="Of a recipe: documents of each input pipeline.")] = 100,
    write: Annotated[
        Path | None, typer.Option(help="Of a recipe: file of the next version; NAME-VERSION.toml by default.")
    ] = None,
    fail_if_worse: Annotated[
        float | None,
        typer.Option(min=0.0, help="Of a recipe: leave with 1 if the mean would fall by more than this."),
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
    """Find fusion weights, and whether leaving what is in use now is justified at all.

    Of a recipe exactly its input pipelines are tuned, on files, on a deployed collection or on runs made
    elsewhere; the next version of the recipe is written. Leaves with 0, with 1 where an expected value of an
    experiment was not reproduced or the weights are worse than allowed, with 2 where it cannot run.

    Example: atlas-rag tune hybrid --data articles.csv --queries questions.csv --judgments grades.csv
    """
    from atlas_rag.tuning.experiment import Experiment, run_experiment

    try:
        if _is_recipe(file):
            if queries is None or judgments is None:
                raise CallError(
                    "A recipe is tuned on questions and judgments",
                    expected="--queries FILE and --judgments FILE",
                    next_step="name both; atlas-rag tune init writes an example",
                )
            recipes.tune(
                recipes.Asked(
                    recipe=find_recipe(str(file)),
                    queries=queries,
                    judgments=judgments,
                    data=data,
                    runs=runs or (),
                    namespace=namespace,
                    uri=uri,
                    condition=condition,
                    embedder=embedder,
                    fusions=fusion or (),
                    measure=measure,
                    depth=depth,
                    out=out,
                    write=write,
                    fail_if_worse=fail_if_worse,
                    as_json=as_json,
                )
            )
            return
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
                say=say,
            )
    except (AtlasRagError, OSError) as error:
        typer.echo(f"cannot tune: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error
    typer.echo(json.dumps(_as_json(result), indent=2, ensure_ascii=False) if as_json else _as_text(result))
    raise typer.Exit(0 if result.reproduced else NOT_REPRODUCED)


def _is_recipe(file: Path) -> bool:
    """Whether it is a recipe: the name of one, or a file with input pipelines in it."""
    from atlas_rag.recipes import recipe_names

    if str(file) in recipe_names():
        return True
    try:
        return "inputs" in tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False  # what is wrong with it is told where it is read


def _as_text(result: ExperimentResult) -> str:
    lines = [*as_text(result.tuning), *map(str, result.expectations)]
    if result.verified:
        lines.append(f"the deployment's $rankFusion gives our ids and scores in {result.verified} rankings")
    phases = ", ".join(f"{phase} {seconds:.1f} s" for phase, seconds in result.seconds.items())
    return "\n".join([*lines, phases, f"report: {result.files[0]}"])


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
