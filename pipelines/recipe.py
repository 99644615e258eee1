"""What a recipe is."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from atlas_rag import AsyncRetriever, KeywordInput, RetrievalOptions, Retriever, VectorInput
from atlas_rag.indexes import WantedIndex

INDEXES = Path(__file__).parent / "indexes"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named, versioned way to answer.

    Args:
        name, version: together they name one locked emission.
        mode: "hybrid", "vector" or "keyword": how a call is answered that names none.
        inputs: the input pipelines.
        index_files: definitions in `indexes/`, without `.json`.
        options: further defaults of each call, see `RetrievalOptions`.
    """

    name: str
    version: int
    mode: str
    inputs: tuple[VectorInput | KeywordInput, ...]
    index_files: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def indexes(self) -> tuple[WantedIndex, ...]:
        """The index definitions that the recipe needs."""
        return tuple(WantedIndex.read(INDEXES / f"{name}.json") for name in self.index_files)

    def retriever(self, collection: Any, **settings: Any) -> Retriever:
        """A synchronous retriever of this recipe; settings as `Retriever` takes them."""
        return Retriever(collection, inputs=self.inputs, **self._named(settings))

    def async_retriever(self, collection: Any, **settings: Any) -> AsyncRetriever:
        """An asynchronous retriever of this recipe; settings as `Retriever` takes them."""
        return AsyncRetriever(collection, inputs=self.inputs, **self._named(settings))

    def _named(self, settings: dict[str, Any]) -> dict[str, Any]:
        options = RetrievalOptions(search_mode=self.mode, **self.options)
        return {"retriever_id": f"{self.name}-{self.version}", "options": options, **settings}
