"""Runs as one compressed file of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bson import json_util

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.runs import RankedLists, Runs

VERSION = 1


def save_runs(path: str | Path, runs: Runs, *, keys: Mapping[str, Mapping[str, str]] | None = None) -> None:
    """Writes the runs as .npz; ids as Extended JSON, so that every type survives.

    Args:
        keys: what each query's answer of each input pipeline depended on, see `answer_keys`.
    """
    header = {
        "version": VERSION,
        "keys": {query: dict(own) for query, own in (keys or {}).items()},
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
    header = header_of(path)
    with np.load(path, allow_pickle=False) as arrays:
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


def header_of(path: str | Path) -> dict[str, Any]:
    """The names in the file: version, queries, documents, pipelines, keys.

    Raises:
        ExperimentError: a file of another version (7602).
    """
    with np.load(path, allow_pickle=False) as arrays:
        header: dict[str, Any] = json_util.loads(arrays["header"].tobytes().decode("utf-8"))
    if header.get("version") != VERSION:
        raise ExperimentError(
            f"{Path(path).name} has version {header.get('version')}",
            expected=f"version {VERSION}",
            next_step="collect again",
        )
    return header
