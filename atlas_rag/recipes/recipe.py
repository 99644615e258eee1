"""What a recipe is: input pipelines, the index definitions they need, and the defaults of each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.indexes import WantedIndex
from atlas_rag.plan import Input
from atlas_rag.query.request import Mode


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named, versioned way to answer.

    Args:
        name, version: together they name one locked emission.
        mode: how a call is answered that names none.
        inputs: the input pipelines. indexes: the definitions they need.
        options: further defaults of each call, see `RetrievalOptions`.
        embedder: id of the embedder that its vectors come from; None where any of that length will do.
    """

    name: str
    version: int
    mode: Mode
    inputs: tuple[Input, ...]
    indexes: tuple[WantedIndex, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    embedder: str | None = None

    @property
    def id(self) -> str:
        """Name and version, such as `hybrid-1`: what evidence calls a retriever of this recipe."""
        return f"{self.name}-{self.version}"

    @property
    def dimensions(self) -> int | None:
        """Length of the vectors of its first vector index; None where it has none."""
        fields = [one for index in self.indexes for one in index.to_dict()["definition"].get("fields", ())]
        return next((int(one["numDimensions"]) for one in fields if one["type"] == "vector"), None)
