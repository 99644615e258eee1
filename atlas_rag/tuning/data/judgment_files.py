"""Formats in which judgments come: each function yields (query, document, grade) rows."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

from atlas_rag.errors import ExperimentError

Row = tuple[str, str, float]

QUEPID_COLUMNS = (("query", "docid", "rating"), ("Query Text", "Doc ID", "Rating"))
"""Quepid's basic and general exports name the same three columns differently."""


def beir(path: Path) -> Iterator[Row]:
    """BEIR: a header line, then query, document and grade between tabs."""
    with path.open(encoding="utf-8", newline="") as lines:
        next(lines, None)
        for number, line in enumerate(lines, start=2):
            yield _row(line.rstrip("\r\n").split("\t"), (0, 1, 2), path, number)


def trec(path: Path) -> Iterator[Row]:
    """TREC: query, iteration (ignored by definition), document, grade."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _row(line.split(), (0, 2, 3), path, number)


def csv_columns(path: Path, columns: tuple[str, str, str]) -> Iterator[Row]:
    """CSV with a header line that has the three named columns."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines)
        header = next(reader, [])
        places = _places(header, columns, path)
        for fields in reader:
            yield _row(fields, places, path, reader.line_num)


def quepid(path: Path) -> Iterator[Row]:
    """Quepid's ratings export; documents without a rating yet are left out."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines)
        header = [name.strip() for name in next(reader, [])]
        known = next((names for names in QUEPID_COLUMNS if set(names) <= set(header)), QUEPID_COLUMNS[0])
        places = _places(header, known, path)
        for fields in reader:
            if fields[places[2]].strip():
                yield _row(fields, places, path, reader.line_num)


def jsonl(path: Path, keys: tuple[str, str, str]) -> Iterator[Row]:
    """One JSON object a line with the three named keys."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            record = json.loads(line)
            if missing := [key for key in keys if key not in record]:
                raise _unreadable(path, number, f"no key {missing[0]!r}")
            query, document, grade = (record[key] for key in keys)
            yield str(query), str(document), grade


def _places(header: list[str], columns: tuple[str, str, str], path: Path) -> tuple[int, int, int]:
    if missing := [name for name in columns if name not in header]:
        raise _unreadable(path, 1, f"no column {missing[0]!r} among {header}")
    query, document, grade = (header.index(name) for name in columns)
    return query, document, grade


def _row(fields: list[str], places: tuple[int, int, int], path: Path, number: int) -> Row:
    try:
        query, document, grade = (fields[place] for place in places)
        return query, document, float(grade)
    except (IndexError, ValueError) as error:
        raise _unreadable(
            path, number, f"{len(fields)} fields, the last of which should be a grade"
        ) from error


def _unreadable(path: Path, number: int, problem: str) -> ExperimentError:
    return ExperimentError(
        f"{path.name}, line {number}: {problem}",
        expected="a query, a document and a grade in every line",
        next_step="correct the file or name its columns",
    )
