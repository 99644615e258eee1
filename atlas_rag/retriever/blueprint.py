"""A retriever as a small JSON file: where its documents are and how they are searched."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from atlas_rag.embed import Embedder, HashingEmbedder
from atlas_rag.errors import CallError
from atlas_rag.plan import Input, KeywordInput, VectorInput
from atlas_rag.retriever.retriever import AsyncRetriever, Retriever

HASHING = re.compile(r"atlas-rag-hashing-1/(\d+)")


class Blueprint(BaseModel):
    """What is needed to ask again later.

    Args:
        database, collection: where the documents are.
        vector: options of its `VectorInput`, or None. keyword: options of its `KeywordInput`, or None.
        embedder: id of an embedder that needs no files: `atlas-rag-hashing-1/<dimensions>`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    database: str
    collection: str
    vector: dict[str, Any] | None = None
    keyword: dict[str, Any] | None = None
    embedder: str

    @classmethod
    def read(cls, path: Path) -> Blueprint:
        """Reads what `write` wrote.

        Raises:
            CallError: INVALID_OPTION if there is no such file, or it holds something else.
        """
        try:
            return cls.model_validate_json(path.read_text(encoding="utf-8"))
        except (OSError, ValidationError) as error:
            raise CallError(
                f"{path} holds no retriever",
                expected="a file that `make demo` wrote",
                next_step="run it first",
            ) from error

    def write(self, path: Path) -> None:
        """Writes the file."""
        path.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")

    def inputs(self) -> tuple[Input, ...]:
        """The input pipelines."""
        found: list[Input] = [] if self.vector is None else [VectorInput(**self.vector)]
        if self.keyword is not None:
            options = dict(self.keyword)
            options["paths"] = tuple(options.get("paths", ("text",)))
            options["boosts"] = tuple(map(tuple, options.get("boosts", ())))
            found.append(KeywordInput(**options))
        return tuple(found)

    def make_embedder(self) -> Embedder:
        """The embedder of this id."""
        match = HASHING.fullmatch(self.embedder)
        if match is None:
            raise CallError(
                f"The embedder {self.embedder!r} is not known", expected="atlas-rag-hashing-1/<dimensions>"
            )
        return HashingEmbedder(int(match[1]))

    def retriever(self, client: Any, **settings: Any) -> Retriever:
        """A synchronous retriever over this client."""
        collection = client[self.database][self.collection]
        return Retriever(collection, inputs=self.inputs(), embedder=self.make_embedder(), **settings)

    def async_retriever(self, client: Any, **settings: Any) -> AsyncRetriever:
        """An asynchronous retriever over this client."""
        collection = client[self.database][self.collection]
        return AsyncRetriever(collection, inputs=self.inputs(), embedder=self.make_embedder(), **settings)
