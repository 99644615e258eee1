"""A search index that somebody wants, as Python, or in a JSON, TOML or Python file."""

from __future__ import annotations

import json
import runpy
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from atlas_rag.errors import AtlasRagError, CallError, Code
from atlas_rag.indexes.definitions.definition import IndexDefinition
from atlas_rag.query.content import check_text

SUFFIXES = (".json", ".toml", ".py")
IndexType = Literal["search", "vectorSearch"]


@dataclass(frozen=True, slots=True)
class WantedIndex:
    """One index by name.

    Args:
        name: unique within a collection and its views.
        type: "search" or "vectorSearch"; it can never be changed.
        definition: as `createSearchIndexes` takes it, or a `SearchDefinition` or `VectorDefinition`.
    """

    name: str
    type: IndexType
    definition: Mapping[str, Any] | IndexDefinition

    @classmethod
    def of(cls, name: str, definition: IndexDefinition) -> WantedIndex:
        """An index of the type that its definition has."""
        return cls(name, definition.index_type, definition)

    def __post_init__(self) -> None:
        if isinstance(self.definition, IndexDefinition):
            if self.definition.index_type != self.type:
                raise _invalid(
                    f"The index {self.name!r} is of type {self.type!r}, its definition not",
                    self.definition.index_type,
                )
            object.__setattr__(self, "definition", self.definition.to_definition())
        if not isinstance(self.name, str) or not self.name:
            raise _invalid("An index has no name", "a non-empty string")
        if "\0" in check_text(self.name, "The name of an index"):
            raise _invalid("The name of an index holds a NUL character", "a name without it")
        if self.type not in get_args(IndexType):
            raise _invalid(f"The index {self.name!r} is of type {self.type!r}", "search or vectorSearch")
        if not isinstance(self.definition, Mapping):
            raise _invalid(f"The index {self.name!r} has no definition", "a document")

    def to_dict(self) -> dict[str, Any]:
        """As `createSearchIndexes` takes one entry."""
        return {"name": self.name, "type": self.type, "definition": dict(self.definition)}

    @classmethod
    def read(cls, path: Path | str) -> WantedIndex:
        """Reads a file with one index; see `read_definitions`.

        Raises:
            CallError: INVALID_DEFINITION.
        """
        found = read_definitions(Path(path))
        if len(found) != 1:
            raise _invalid(f"{Path(path).name} holds {len(found)} indexes", "one")
        return found[0]


def _invalid(problem: str, expected: str) -> CallError:
    next_step = "correct the name, type or definition of the index"
    return CallError(problem, expected=expected, next_step=next_step, code=Code.INVALID_DEFINITION)


# ------------------------------------------------------------------ files


def read_definitions(*paths: Path) -> tuple[WantedIndex, ...]:
    """The indexes of these files, and of all definition files in these folders, by name of the file.

    JSON: one object {name, type, definition}, or a list of them. TOML: the same object, or tables
    `[[indexes]]`. Python: a name `INDEXES` with `WantedIndex` values; the file is run, so it must be trusted.

    Raises:
        CallError: INVALID_DEFINITION, naming the file.
    """
    files = [file for path in paths for file in _files(path)]
    return tuple(index for file in files for index in _read(file))


def read_definition(entry: Any) -> WantedIndex:
    """One index as `createSearchIndexes` takes it: {name, type, definition}.

    Raises:
        CallError: INVALID_DEFINITION.
    """
    try:
        return _wanted(entry)
    except AtlasRagError:
        raise
    except Exception as error:  # it may be anything
        raise CallError(
            f"An index definition cannot be read ({type(error).__name__}: {error})",
            expected="{name, type, definition}",
            code=Code.INVALID_DEFINITION,
        ) from error


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
