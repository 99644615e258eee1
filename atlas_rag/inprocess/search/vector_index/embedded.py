"""A column of texts, whose vectors a registered model makes (`autoEmbed`)."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.models import Models, asked, share_space
from atlas_rag.inprocess.search.vector_index.column import VectorColumn
from atlas_rag.inprocess.search.vector_index.growing import Array
from atlas_rag.inprocess.search.vector_index.rows import Quantization, VectorRows
from atlas_rag.inprocess.search.vector_index.similarity import Similarity
from atlas_rag.inprocess.search.vector_index.values import Kind, Vector, read_vector

_BATCH = 128  # texts given to a model at once


class EmbeddedColumn(VectorColumn):
    """Vectors of strings; written texts are embedded when the next question comes.

    Args:
        model: the name under which `models` know the embedder.
        dimensions: 1 to 8192; None for as many as the model gives.
        lossy: see `loss`.

    Raises:
        EngineRefusal: the model was not given, or fails.
    """

    def __init__(
        self,
        model: str,
        models: Models,
        dimensions: int | None,
        similarity: Similarity,
        quantization: Quantization,
        *,
        lossy: bool,
    ) -> None:
        self._model, self._models = model, models
        self._embedder = models.embedder(model)
        self._waiting: list[tuple[int, str]] = []
        super().__init__(dimensions or self._dimensions(), similarity, quantization, lossy=lossy)

    def put(self, row: int, value: Any) -> None:
        """Takes the text of a document; anything else is no text to embed."""
        if isinstance(value, str) and value:
            self._waiting.append((row, value))

    def rows_of(self, kind: Kind) -> VectorRows:
        """The rows of one kind, all texts embedded."""
        self._embed()
        return super().rows_of(kind)

    def keep(self, kept: Array, renumbered: Array) -> None:
        self._embed()
        super().keep(kept, renumbered)

    def dump(self) -> dict[str, Array]:
        self._embed()
        return super().dump()

    def question(self, text: str, model: str | None) -> Vector:
        """The vector of a question, by the column's model or another of its vector space.

        Raises:
            EngineRefusal: the model was not given, is of another space, or fails.
        """
        name = model or self._model
        if not share_space(name, self._model):
            raise EngineRefusal(f"model {name} is not compatible with the model of the index, {self._model}")
        return self._vector(name, asked(name, self._models.embedder(name).embed_query, text))

    def _embed(self) -> None:
        waiting, self._waiting = self._waiting, []
        for start in range(0, len(waiting), _BATCH):
            batch = waiting[start : start + _BATCH]
            try:
                made = asked(self._model, self._embedder.embed_documents, [text for _, text in batch])
            except EngineRefusal:
                self._waiting = waiting[start:]
                raise
            for (row, _), vector in zip(batch, made, strict=True):
                super().put(row, [*map(float, vector)])

    def _vector(self, name: str, made: Any) -> Vector:
        vector = read_vector([*map(float, made)])
        if vector is None:
            raise EngineRefusal(f"model {name} gave something else than a vector of numbers")
        return vector

    def _dimensions(self) -> int:
        told = getattr(self._embedder, "dimensions", None)
        if isinstance(told, int):
            return told
        return self._vector(self._model, asked(self._model, self._embedder.embed_query, "text")).dimensions
