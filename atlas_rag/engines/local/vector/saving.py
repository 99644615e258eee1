"""A vector index on disk: one file of arrays, one of everything else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bson
import numpy as np

from atlas_rag.engines.local.vector.growing import Array

_ARRAYS, _VALUES = "vectors.npz", "vectors.bson"
_FORMAT = 1

Parts = Mapping[str, Mapping[str, Array]]


def write(folder: Path, arrays: Parts, values: Mapping[str, Any]) -> None:
    """Writes named arrays by section, and values that BSON can hold."""
    folder.mkdir(parents=True, exist_ok=True)
    flat = [(f"{section}|{name}", part) for section, parts in arrays.items() for name, part in parts.items()]
    np.savez(folder / _ARRAYS, allow_pickle=False, **{f"a{at}": part for at, (_, part) in enumerate(flat)})
    names = {"format": _FORMAT, "names": [name for name, _ in flat], "sections": list(arrays)}
    (folder / _VALUES).write_bytes(bson.encode({**names, "values": dict(values)}))


def read(folder: Path) -> tuple[dict[str, dict[str, Array]], dict[str, Any]]:
    """Reads what `write` wrote.

    Raises:
        OSError: there is nothing.
        ValueError: it is of another format.
    """
    document = bson.decode((folder / _VALUES).read_bytes())
    if document["format"] != _FORMAT:
        raise ValueError(f"{folder} holds format {document['format']}; this version reads {_FORMAT}")
    arrays: dict[str, dict[str, Array]] = {section: {} for section in document["sections"]}
    with np.load(folder / _ARRAYS, allow_pickle=False) as packed:
        for at, full_name in enumerate(document["names"]):
            section, _, name = full_name.partition("|")
            arrays[section][name] = packed[f"a{at}"]
    values: dict[str, Any] = document["values"]
    return arrays, values
