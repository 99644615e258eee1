"""`atlas-rag compare`: two runs on the same judgments; a gate for continuous integration."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atlas_rag.errors import AtlasRagError

if TYPE_CHECKING:
    from atlas_rag.tuning.experiment import RunComparison

WORSE, UNUSABLE = 1, 2
"""Exit codes: the second run is worse by more than allowed; a file or option cannot be used."""


def command(
    first: Annotated[Path, typer.Argument(help="TREC run to measure against.")],
    second: Annotated[Path, typer.Argument(help="TREC run to judge.")],
    judgments: Annotated[Path, typer.Option(help="Judgments: BEIR (.tsv with a header) or TREC qrels.")],
    measure: Annotated[str, typer.Option(help="Such as nDCG@10, RR@10, R@100.")] = "nDCG@10",
    fail_if_worse: Annotated[
        float | None, typer.Option(min=0.0, help="Leave with 1 if the mean falls by more than this.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare two runs query by query, with tests and the queries that lose most.

    Example: atlas-rag compare main.trec branch.trec --judgments qrels.tsv --fail-if-worse .01
    """
    from atlas_rag.tuning.data import Judgments
    from atlas_rag.tuning.experiment import compare_runs

    try:
        read = Judgments.from_beir if judgments.suffix == ".tsv" else Judgments.from_trec
        found = compare_runs(first, second, read(judgments), measure)
    except (AtlasRagError, OSError, ValueError) as error:
        typer.echo(f"cannot compare: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error
    worse = fail_if_worse is not None and found.worse_by(fail_if_worse)
    typer.echo(json.dumps({**asdict(found), "worse": worse}, indent=2) if as_json else _as_text(found))
    raise typer.Exit(WORSE if worse else 0)


def _as_text(found: RunComparison) -> str:
    paired = found.comparison
    low, high = paired.interval
    lines = [
        f"{found.measure}: {found.first:.4f} to {found.second:.4f} over {paired.queries} queries",
        f"difference {paired.difference:+.4f} (95 % interval {low:+.4f} to {high:+.4f}), "
        f"t test p = {paired.p_student:.3g}, permutation p = {paired.p_permutation:.3g}",
        f"{paired.wins} win, {paired.losses} lose, {paired.ties} tie",
    ]
    lines += [f"  {query}: {before:.4f} to {after:.4f}" for query, before, after in found.losers]
    return "\n".join(lines)
