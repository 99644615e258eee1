"""Runs as one compressed file of arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from bson import json_util

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import RankedLists, Runs

VERSION = 1


def save_runs(path: str | Path, runs: Runs) -> None:
    """Writes the runs as .npz; ids as Extended JSON, so that every type survives."""
    header = {
        "version": VERSION,
        "queries": list(runs.queries),
        "documents": list(runs.documents),
        "pipelines": list(runs.pipelines),
    }
    arrays: dict[str, np.ndarray] = {
        "header": np.frombuffer(json_util.dumps(header).encode("utf-8"), dtype=np.uint8)
    }
    for place, lists in enumerate(runs.lists.values()):
        arrays |= {
            f"start{place}": lists.start,
            f"document{place}": lists.document,
            f"rank{place}": lists.rank,
            f"score{place}": lists.score,
        }
    scratch = Path(path).with_suffix(".part.npz")
    np.savez_compressed(scratch, **arrays)  # type: ignore[arg-type]
    scratch.replace(path)


def load_runs(path: str | Path) -> Runs:
    """Reads what `save_runs` wrote.

    Raises:
        ExperimentError: a file of another version (7602).
    """
    with np.load(path, allow_pickle=False) as arrays:
        header = json_util.loads(arrays["header"].tobytes().decode("utf-8"))
        if header.get("version") != VERSION:
            raise ExperimentError(
                f"{Path(path).name} has version {header.get('version')}",
                expected=f"version {VERSION}",
                next_step="collect again",
            )
        lists = {
            name: RankedLists(
                arrays[f"start{place}"],
                arrays[f"document{place}"],
                arrays[f"rank{place}"],
                arrays[f"score{place}"],
            )
            for place, name in enumerate(header["pipelines"])
        }
    return Runs(tuple(header["queries"]), tuple(header["documents"]), lists)
