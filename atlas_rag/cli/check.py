"""`atlas-rag check`: everything that is wrong with a query or a definition, before it is sent."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from atlas_rag.check.extended_json import read
from atlas_rag.check.lines import answer_lines

REFUSED, UNUSABLE = 1, 2
"""Exit codes: something in the file is refused; the file or an option cannot be used."""


def command(
    file: Annotated[str, typer.Argument(help="Extended JSON; '-' reads standard input.")] = "-",
    index: Annotated[
        list[Path] | None, typer.Option(help="Definition of the index that is searched; can be repeated.")
    ] = None,
    what: Annotated[str | None, typer.Option(help="What the file holds; guessed where left out.")] = None,
    release: Annotated[str | None, typer.Option(help="Server release that must run it, such as 8.0.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Answer lines {id, what, input} with {id, valid, errors}.")
    ] = False,
) -> None:
    """Check a pipeline, the body of a search stage, or an index definition.

    Leaves with 0 where nothing is refused, 1 where something is, 2 where the file cannot be read.
    """
    if jsonl:
        _answer_lines(file)
        return
    from atlas_rag.check import check

    try:
        indexes = [read(path.read_bytes()) for path in index or ()]
        report = check(_read(file), what=what, index=indexes or None, release=_release(release))
    except (OSError, ValueError) as error:
        typer.echo(f"cannot check: {error}", err=True)
        raise typer.Exit(UNUSABLE) from error
    typer.echo(json.dumps(report.as_json(), ensure_ascii=False) if as_json else _as_text(report))
    raise typer.Exit(0 if report.valid else REFUSED)


def _read(file: str) -> Any:
    return read(sys.stdin.read() if file == "-" else Path(file).read_bytes())


def _release(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    major, _, minor = text.partition(".")
    if not (major.isdecimal() and (minor or "0").isdecimal()):
        raise ValueError(f"a release is written 8.0, not {text!r}")
    return int(major), int(minor or 0)


def _as_text(report: Any) -> str:
    lines = [str(finding) for finding in report.findings]
    needs = f", needs MongoDB {'.'.join(map(str, report.needs))}" if report.needs else ""
    counts = f"{len(report.errors)} errors, {len(report.warnings)} warnings"
    return "\n".join([*lines, f"{report.what}: {counts}{needs}"])


def _answer_lines(file: str) -> None:
    if file == "-":
        _write_lines(sys.stdin)
    else:
        with Path(file).open(encoding="utf-8") as lines:
            _write_lines(lines)


def _write_lines(lines: Any) -> None:
    for answer in answer_lines(lines):
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()  # who writes a line may wait for its answer
