"""A folder that remembers answers by what they depend on, so that nothing stale is taken for an answer."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bson import json_util

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.keys import answer_keys, differences, summary
from atlas_rag.tuning.collect.packed import header_of, load_runs, save_runs
from atlas_rag.tuning.data.runs import Runs, ScoredRow

FINGERPRINT, JOURNAL, PACKED = "fingerprint.json", "journal.jsonl", "runs.npz"

Rows = dict[str, dict[str, list[ScoredRow]]]
Keys = dict[str, dict[str, str]]


class RunCache:
    """Rows by query and input pipeline, each with the key of all that it depends on.

    An answer counts only under the key that is wanted now; others are asked for again. While collecting,
    each answer is appended to a journal; `pack` puts all into one compressed file. Use `RunCache.open`, or
    `RunCache.in_memory` for one that forgets.

    Attributes:
        changes: names of what differs from the collection that the folder held, see `differences`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        keys: Keys | None = None,
        *,
        offline: bool = False,
        changes: Sequence[str] = (),
    ) -> None:
        self.changes = tuple(changes)
        self.offline = offline
        self._folder = folder
        self._keys = keys or {}
        self._rows: Rows = {}
        self._cut = True  # the journal may end in half a line, which must not swallow the next one

    @classmethod
    def in_memory(cls) -> RunCache:
        """A cache without a folder."""
        return cls()

    @classmethod
    def open(cls, folder: str | Path, fingerprint: Mapping[str, Any], *, offline: bool = False) -> RunCache:
        """Opens the folder, or makes it; keeps what is in it of the wanted collection.

        Args:
            fingerprint: of the collection that is wanted.
            offline: what the folder lacks is refused instead of asked for, see `missing`.
        """
        path = Path(folder)
        wanted = json.loads(json.dumps(fingerprint))
        changes: list[str] = []
        if (path / FINGERPRINT).exists():
            there = json.loads((path / FINGERPRINT).read_text(encoding="utf-8"))
            changes = differences(there, wanted)
        cache = cls(path, answer_keys(wanted), offline=offline, changes=changes)
        cache._read(path)
        if not offline:
            path.mkdir(parents=True, exist_ok=True)
            (path / FINGERPRINT).write_text(json.dumps(wanted, indent=2, sort_keys=True), encoding="utf-8")
        return cache

    def has(self, query: str, pipeline: str, pipelines: Collection[str]) -> bool:
        """Whether the answer is there: of one input pipeline, or of all `pipelines` if it is none of them."""
        there = self._rows.get(query, {})
        return pipeline in there if pipeline in pipelines else all(name in there for name in pipelines)

    def missing(self, count: int) -> ExperimentError:
        """The refusal to ask for `count` answers in a folder that was opened offline."""
        changed = summary(self.changes)
        return ExperimentError(
            f"{count} answers are not in the cache" + (f": {changed} changed since" if changed else ""),
            expected="offline, everything as it was when the cache was filled",
            next_step="run once without --offline to collect again, or restore what changed",
        )

    def add(self, query: str, rows: Mapping[str, Sequence[ScoredRow]]) -> None:
        """Keeps the rows of one query for some input pipelines."""
        self._rows.setdefault(query, {}).update({name: list(some) for name, some in rows.items()})
        if self._folder:
            keys = {name: self._key(query, name) for name in rows}
            entry = {"query": query, "keys": keys, "rows": {name: list(some) for name, some in rows.items()}}
            with (self._folder / JOURNAL).open("a", encoding="utf-8") as journal:
                journal.write("\n" * self._cut + json_util.dumps(entry) + "\n")
            self._cut = False

    def runs(self, queries: Sequence[str], pipelines: Sequence[str]) -> Runs:
        """The runs of these queries; afterwards the folder is packed."""
        lists = {
            name: {query: self._rows.get(query, {}).get(name, []) for query in queries} for name in pipelines
        }
        runs = Runs.of(lists)
        self.pack()
        return runs

    def pack(self) -> None:
        """Moves the journal into the compressed file, once every query has all its input pipelines."""
        if self.offline or self._folder is None or not (self._folder / JOURNAL).exists():
            return
        names = sorted({name for keys in self._keys.values() for name in keys})
        if any(set(self._rows.get(query, ())) != set(names) for query in self._keys):
            return
        runs = Runs.of({name: {query: self._rows[query][name] for query in self._keys} for name in names})
        save_runs(self._folder / PACKED, runs, keys=self._keys)
        (self._folder / JOURNAL).unlink()

    def _key(self, query: str, pipeline: str) -> str | None:
        return self._keys.get(query, {}).get(pipeline)

    def _read(self, folder: Path) -> None:
        """Takes the rows of the folder whose keys are the wanted ones."""
        if (folder / PACKED).exists():
            keys = header_of(folder / PACKED).get("keys", {})
            if wanted := [
                (query, name)
                for query in keys
                for name in keys[query]
                if keys[query][name] == self._key(query, name)
            ]:
                runs = load_runs(folder / PACKED)
                for query, name in wanted:
                    self._rows.setdefault(query, {})[name] = runs.ranked(name, query)
        for entry in _journal(folder / JOURNAL):
            for name, rows in entry["rows"].items():
                if entry.get("keys", {}).get(name) == self._key(entry["query"], name):
                    found = [(row[0], float(row[1])) for row in rows]
                    self._rows.setdefault(entry["query"], {})[name] = found


def _journal(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of a journal; one that was cut short is left out."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            yield json_util.loads(line)
        except ValueError:
            continue
