"""Questions, judgments, documents and runs from files in the forms that people have."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from atlas_rag.errors import ExperimentError
from atlas_rag.recipes import Recipe
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.experiment.compare import read_run

Content = TypeVar("Content")
ID, TEXT, GROUP = ("_id", "id", "query-id"), ("text", "question", "query"), "group"
"""Names of columns and keys that are known, the first that is there counts."""
GRADED = (
    ("query", "document", "grade"),
    ("query", "docid", "rating"),
    ("query-id", "corpus-id", "score"),
    ("question", "article", "grade"),
)
"""Columns of a CSV file of judgments."""


def read_queries(path: str | Path) -> QuerySet:
    """Questions from JSON lines, CSV (with a header) or TSV (id, text, group; no header).

    A question without an id is named by its text.

    Raises:
        ExperimentError: a file that cannot be read, or a record without a text (7602).
    """
    file = Path(path)
    if file.suffix == ".tsv":
        return _read(file, QuerySet.from_tsv)
    found: dict[str, dict[str, Any]] = {}
    for record in read_records(file):
        text = _first(record, TEXT)
        if text is None:
            raise _unusable(file, f"a question without {' or '.join(TEXT)}")
        name = str(_first(record, ID) or text)
        found.setdefault(name, {"_id": name, "text": text, "group": record.get(GROUP) or ""})
    return QuerySet.of_records(found.values())


def read_judgments(path: str | Path, queries: QuerySet) -> Judgments:
    """Judgments from BEIR (.tsv with a header), CSV, JSON lines, or else TREC qrels.

    Queries may be named by their texts.

    Raises:
        ExperimentError: a file that cannot be read (7602), or judgments of no query that is asked (7601).
    """
    file = Path(path)
    match file.suffix:
        case ".tsv":
            judgments = _read(file, Judgments.from_beir)
        case ".jsonl" | ".csv":
            judgments = Judgments.from_rows(_graded(file))
        case _:
            judgments = _read(file, Judgments.from_trec)
    by_text = {text: name for text, name in queries.id_by_text.items() if name not in judgments.grades}
    return judgments.with_query_ids(by_text) if set(by_text) & set(judgments.grades) else judgments


def read_runs(paths: Sequence[str | Path], recipe: Recipe) -> Runs:
    """One TREC run for each input pipeline of a recipe; a file has the name of its input pipeline.

    Raises:
        ExperimentError: an unreadable run, or names that are not the recipe's (7602).
    """
    names = {one.name for one in recipe.inputs}
    given = {Path(path).stem: Path(path) for path in paths}
    if given.keys() != names:
        raise ExperimentError(
            f"the runs are {', '.join(sorted(given)) or 'none'}",
            expected=f"one for each input pipeline: {', '.join(f'{name}.trec' for name in sorted(names))}",
            next_step="name each file as its input pipeline",
        )
    return Runs.of({name: _read(path, read_run) for name, path in given.items()})


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, or the rows of a CSV file by their header.

    Raises:
        ExperimentError: a file that cannot be read, with the line (7602).
    """
    file = Path(path)
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            if file.suffix == ".csv":
                yield from csv.DictReader(lines)
                return
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise _unusable(file, f"line {number} is no object")
                yield record
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, csv.Error) as error:
        raise _unusable(file, f"{type(error).__name__}") from error


def _graded(file: Path) -> Iterator[tuple[str, str, float]]:
    for number, record in enumerate(read_records(file), start=1):
        names = next((names for names in GRADED if all(name in record for name in names)), None)
        if names is None:
            raise _unusable(file, f"record {number} has {', '.join(map(str, record))}")
        query, document, grade = (record[name] for name in names)
        try:
            yield str(query), str(document), float(grade)
        except (TypeError, ValueError) as error:
            raise _unusable(file, f"the grade of record {number} is no number") from error


def _first(record: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) not in (None, "")), None)


def _read(file: Path, read: Callable[[Path], Content]) -> Content:
    try:
        return read(file)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise _unusable(file, f"{type(error).__name__}: {error}") from error


def _unusable(file: Path, problem: str) -> ExperimentError:
    return ExperimentError(
        f"{file.name} cannot be used: {problem}",
        expected="JSON lines, CSV with a header, TSV or TREC, as docs/how-to/tune.md lists",
        next_step="correct the file",
    )
