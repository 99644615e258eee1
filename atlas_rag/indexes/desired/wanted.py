"""A search index that somebody wants: name, type and definition, as Python or as a JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from atlas_rag.errors import CallError, Code
from atlas_rag.indexes.definitions.definition import IndexDefinition

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
        from atlas_rag.indexes.desired.files import read_definitions

        found = read_definitions(Path(path))
        if len(found) != 1:
            raise _invalid(f"{Path(path).name} holds {len(found)} indexes", "one")
        return found[0]


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_DEFINITION)
