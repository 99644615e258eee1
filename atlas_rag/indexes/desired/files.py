"""Index definitions in files: JSON, TOML or Python."""

from __future__ import annotations

import json
import runpy
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from atlas_rag.errors import AtlasRagError, CallError, Code
from atlas_rag.indexes.desired.wanted import WantedIndex

SUFFIXES = (".json", ".toml", ".py")


def read_definitions(*paths: Path) -> tuple[WantedIndex, ...]:
    """The indexes of these files, and of all definition files in these folders, by name of the file.

    JSON: one object {name, type, definition}, or a list of them. TOML: the same object, or tables
    `[[indexes]]`. Python: a name `INDEXES` with `WantedIndex` values; the file is run, so it must be trusted.

    Raises:
        CallError: INVALID_DEFINITION, naming the file.
    """
    files = [file for path in paths for file in _files(path)]
    return tuple(index for file in files for index in _read(file))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(
            file for file in path.iterdir() if file.suffix in SUFFIXES and file.name != "__init__.py"
        )
    return [path]


def _read(file: Path) -> list[WantedIndex]:
    try:
        return [_wanted(one) for one in _entries(file)]
    except AtlasRagError:
        raise
    except Exception as error:  # a file may hold anything, one of Python may raise anything
        raise CallError(
            f"{file.name} holds no indexes ({type(error).__name__}: {error})",
            expected="{name, type, definition}, in .json, .toml, or as INDEXES in .py",
            code=Code.INVALID_DEFINITION,
        ) from error


def _entries(file: Path) -> Iterable[Any]:
    if file.suffix == ".py":
        found: Iterable[Any] = runpy.run_path(str(file))["INDEXES"]
        return found
    text = file.read_text(encoding="utf-8")
    content = tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)
    if isinstance(content, Mapping):
        content = content.get("indexes", [content])
    return list(content)


def _wanted(entry: Any) -> WantedIndex:
    if isinstance(entry, WantedIndex):
        return entry
    unknown = sorted(entry.keys() - {"name", "type", "definition"})
    if unknown:
        raise ValueError(f"there is no {unknown[0]!r} in an index")
    return WantedIndex(entry["name"], entry["type"], entry["definition"])
