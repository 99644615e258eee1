"""A search or vector index on disk: one file of arrays, one of everything else."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bson
import numpy as np
from bson.errors import BSONError

_ARRAYS, _VALUES = "arrays.npz", "values.bson"
_FORMAT = 1

Array = np.ndarray[Any, Any]

Parts = Mapping[str, Mapping[str, Array]]


def write(folder: Path, arrays: Parts, values: Mapping[str, Any]) -> None:
    """Writes named arrays by section, and values that BSON can hold. Both files carry one mark."""
    folder.mkdir(parents=True, exist_ok=True)
    flat = [(f"{section}|{name}", part) for section, parts in arrays.items() for name, part in parts.items()]
    mark = os.urandom(16)
    numbered = {f"a{at}": part for at, (_, part) in enumerate(flat)}
    np.savez(folder / _ARRAYS, allow_pickle=False, mark=np.frombuffer(mark, np.uint8), **numbered)
    head = {"format": _FORMAT, "mark": mark, "names": [name for name, _ in flat], "sections": list(arrays)}
    (folder / _VALUES).write_bytes(bson.encode({**head, "values": dict(values)}))


def read(folder: Path) -> tuple[dict[str, dict[str, Array]], dict[str, Any]]:
    """Reads what `write` wrote.

    Raises:
        OSError: there is nothing.
        ValueError: it is of another format, damaged, or was not written to the end.
    """
    try:
        return _read(folder)
    except (BSONError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{folder} holds no whole index") from error


def _read(folder: Path) -> tuple[dict[str, dict[str, Array]], dict[str, Any]]:
    document = bson.decode((folder / _VALUES).read_bytes())
    if document["format"] != _FORMAT:
        raise ValueError(f"{folder} holds format {document['format']}; this version reads {_FORMAT}")
    arrays: dict[str, dict[str, Array]] = {section: {} for section in document["sections"]}
    with (folder / _ARRAYS).open("rb") as file, np.load(file, allow_pickle=False) as packed:
        if packed["mark"].tobytes() != document["mark"]:
            raise ValueError(f"{folder} holds files of two different times")
        for at, full_name in enumerate(document["names"]):
            section, _, name = full_name.partition("|")
            arrays[section][name] = packed[f"a{at}"]
    values: dict[str, Any] = document["values"]
    return arrays, values
