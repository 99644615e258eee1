"""A folder that remembers what was collected, so that an interrupted collection goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from bson import json_util

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.packed import load_runs, save_runs
from atlas_rag.tuning.data.runs import Runs, ScoredRow

FINGERPRINT, JOURNAL, PACKED = "fingerprint.json", "journal.jsonl", "runs.npz"


class RunCache:
    """Rows by query and input pipeline.

    While collecting, each answer is appended to a journal; `pack` puts all into one compressed file.
    Use `RunCache.open`, or `RunCache.in_memory` for one that forgets.
    """

    def __init__(self, folder: Path | None, rows: dict[str, dict[str, list[ScoredRow]]]) -> None:
        self._folder = folder
        self._rows = rows

    @classmethod
    def in_memory(cls) -> RunCache:
        """A cache without a folder."""
        return cls(None, {})

    @classmethod
    def open(cls, folder: str | Path, fingerprint: Mapping[str, Any]) -> RunCache:
        """Opens the folder, or makes it.

        Raises:
            ExperimentError: the folder holds a collection with another fingerprint; the first difference is
                named (7602).
        """
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        wanted = json.loads(json.dumps(fingerprint))
        if (path / FINGERPRINT).exists():
            there = json.loads((path / FINGERPRINT).read_text(encoding="utf-8"))
            if difference := _first_difference(there, wanted, ""):
                raise ExperimentError(
                    f"the cache {path.name!r} was collected with another {difference}",
                    expected="the same pipelines, indexes, release and model",
                    next_step="use another folder, or delete this one to collect again",
                )
        else:
            (path / FINGERPRINT).write_text(json.dumps(wanted, indent=2, sort_keys=True), encoding="utf-8")
        return cls(path, _read(path))

    def has(self, query: str, pipeline: str, pipelines: Collection[str]) -> bool:
        """Whether the answer is there: of one input pipeline, or of all `pipelines` if it is none of them."""
        there = self._rows.get(query, {})
        return pipeline in there if pipeline in pipelines else all(name in there for name in pipelines)

    def add(self, query: str, rows: Mapping[str, Sequence[ScoredRow]]) -> None:
        """Keeps the rows of one query for some input pipelines."""
        self._rows.setdefault(query, {}).update({name: list(some) for name, some in rows.items()})
        if self._folder:
            line = json_util.dumps(
                {"query": query, "rows": {name: list(some) for name, some in rows.items()}}
            )
            with (self._folder / JOURNAL).open("a", encoding="utf-8") as journal:
                journal.write(line + "\n")

    def runs(self, queries: Sequence[str], pipelines: Sequence[str]) -> Runs:
        """The runs of these queries; afterwards the folder is packed."""
        lists = {
            name: {query: self._rows.get(query, {}).get(name, []) for query in queries} for name in pipelines
        }
        runs = Runs.of(lists)
        self.pack()
        return runs

    def pack(self) -> None:
        """Moves the journal into the compressed file."""
        if self._folder is None or not (self._folder / JOURNAL).exists():
            return
        names = sorted({name for rows in self._rows.values() for name in rows})
        complete = {query: rows for query, rows in self._rows.items() if len(rows) == len(names)}
        if len(complete) < len(self._rows):
            return
        save_runs(
            self._folder / PACKED,
            Runs.of({name: {q: r[name] for q, r in complete.items()} for name in names}),
        )
        (self._folder / JOURNAL).unlink()


def _read(folder: Path) -> dict[str, dict[str, list[ScoredRow]]]:
    rows: dict[str, dict[str, list[ScoredRow]]] = {}
    if (folder / PACKED).exists():
        runs = load_runs(folder / PACKED)
        rows = {query: {name: runs.ranked(name, query) for name in runs.pipelines} for query in runs.queries}
    if (folder / JOURNAL).exists():
        for line in (folder / JOURNAL).read_text(encoding="utf-8").splitlines():
            try:
                entry = json_util.loads(line)
            except ValueError:
                break  # the last line of a collection that was cut short
            found = {name: [(row[0], float(row[1])) for row in some] for name, some in entry["rows"].items()}
            rows.setdefault(entry["query"], {}).update(found)
    return rows


def _first_difference(there: Any, wanted: Any, path: str) -> str:
    if isinstance(there, dict) and isinstance(wanted, dict):
        for name in sorted(set(there) | set(wanted)):
            inner = f"{path}.{name}" if path else str(name)
            if (name in there) != (name in wanted):
                return inner
            if found := _first_difference(there[name], wanted[name], inner):
                return found
        return ""
    return "" if there == wanted else path or "fingerprint"
