"""What earlier runs of an experiment found, what changed since, and how often the hold-out was looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.keys import differences, digest
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.files import weights_document

LEDGER = "holdout.json"


@dataclass(frozen=True)
class History:
    """A folder with a file for each run, numbered from 1, and a ledger of looks at hold-outs."""

    folder: Path

    @property
    def files(self) -> list[Path]:
        """The records, the oldest first."""
        found = [path for path in self.folder.glob("[0-9]*.json") if path.stem.isdigit()]
        return sorted(found, key=lambda path: int(path.stem))

    def last(self) -> dict[str, Any] | None:
        """The newest record; None where there is none."""
        return read_record(self.files[-1]) if self.files else None

    def look(self, tuning: Tuning) -> int:
        """Counts one more look at this hold-out, and tells how many it has been; 0 without a hold-out.

        A hold-out is told by its queries and their judgments. Each look at it before a decision makes it a
        little less of one (Dwork et al. 2015): the count stands beside its figures.
        """
        if tuning.held is None:
            return 0
        grades = tuning.held.judgments.grades
        key = digest({name: dict(sorted(grades[name].items())) for name in sorted(tuning.held.queries)})
        ledger = self.folder / LEDGER
        looks = json.loads(ledger.read_text(encoding="utf-8")) if ledger.exists() else {}
        looks[key] = looks.get(key, 0) + 1
        self.folder.mkdir(parents=True, exist_ok=True)
        ledger.write_text(json.dumps(looks, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        return int(looks[key])

    def add(self, tuning: Tuning, facts: Mapping[str, Any]) -> Path:
        """Writes the record of a run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = int(self.files[-1].stem) + 1 if self.files else 1
        path = self.folder / f"{number:04d}.json"
        text = json.dumps(record(tuning, facts), indent=1, ensure_ascii=False, default=str)
        path.write_text(text + "\n", encoding="utf-8")
        return path


def record(tuning: Tuning, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A run as data: what `weights.json` holds, and each query's value at equal and recommended weights."""
    return {
        **weights_document(tuning, facts),
        "per_query": {one.query: [one.before, one.after] for one in sorted(tuning.outcomes, key=_name)},
    }


def _name(outcome: Any) -> str:
    return str(outcome.query)


def read_record(path: Path) -> dict[str, Any]:
    """Reads what `add` wrote.

    Raises:
        ExperimentError: no record (7602).
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{path.name} is no record of a run", expected="a file of a history") from error
    if "per_query" not in found or "weights" not in found:
        raise ExperimentError(f"{path.name} is no record of a run", expected="a file of a history")
    return found


@dataclass(frozen=True, slots=True)
class RunDifference:
    """What is different in the second of two runs.

    Args:
        inputs: names of what changed: digests of data, stages, definitions, release, …; "settings" aside.
        weights: input pipeline → (before, after), where they differ. fusion: (before, after).
        mean: (before, after), of the recommended weights over the queries that both have.
        queries: query → (before, after), where the recommended weights' value differs, greatest loss first.
        added, removed: queries that only one has.
    """

    inputs: tuple[str, ...]
    weights: Mapping[str, tuple[float | None, float | None]]
    fusion: tuple[str, str]
    mean: tuple[float, float]
    queries: Mapping[str, tuple[float, float]]
    added: tuple[str, ...]
    removed: tuple[str, ...]


def difference(first: Mapping[str, Any], second: Mapping[str, Any]) -> RunDifference:
    """Compares two records."""
    before, after = first["weights"], second["weights"]
    old, new = first["per_query"], second["per_query"]
    both = [name for name in old if name in new]
    changed = {name: (old[name][1], new[name][1]) for name in both if old[name][1] != new[name][1]}
    ordered = sorted(changed, key=lambda name: (changed[name][1] - changed[name][0], name))
    count = max(len(both), 1)
    return RunDifference(
        tuple(differences(first["facts"], second["facts"])),
        {
            name: (before.get(name), after.get(name))
            for name in sorted({*before, *after})
            if before.get(name) != after.get(name)
        },
        (first["fusion"], second["fusion"]),
        (sum(old[name][1] for name in both) / count, sum(new[name][1] for name in both) / count),
        {name: changed[name] for name in ordered},
        tuple(name for name in new if name not in old),
        tuple(name for name in old if name not in new),
    )
