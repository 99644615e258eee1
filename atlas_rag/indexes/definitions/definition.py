"""What definitions of both types are: judged as a whole by the engine's own grammar."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from atlas_rag.grammar import create_problems, problems
from atlas_rag.indexes.definitions.part import Part, raw_parts

SERVICE_RULE = "model"
"""The rule of the grammar that only speaks for deployments without an embedding service."""


class IndexDefinition(Part):
    """Base of the two definitions. Rules between parts are the grammar's: names used twice, bounds against
    each other, analyzers and type sets that are not there, patterns that do not compile.
    """

    index_type: ClassVar[Literal["search", "vectorSearch"]]

    @property
    def raw(self) -> tuple[str, ...]:
        """Types of the parts that are passed through unread."""
        return tuple(raw_parts(self))

    @model_validator(mode="after")
    def _judge(self) -> Self:
        """Nothing can be said of a definition that is newer than this library."""
        document = self.to_definition()
        vector = self.index_type == "vectorSearch"
        found = problems("vectorIndex" if vector else "searchIndex", document)
        if not found:
            found = create_problems(document, vector=vector)
        said: list[Any] = [one.message for one in found if one.rule != SERVICE_RULE]
        if said and not self._is_newer():
            raise ValueError("; ".join(said))
        return self

    def _is_newer(self) -> bool:
        return any(name not in self._known_raw() for name in self.raw)

    @classmethod
    def _known_raw(cls) -> frozenset[str]:
        """Raw types that the grammar knows."""
        return frozenset()
