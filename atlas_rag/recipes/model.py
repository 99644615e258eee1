"""A recipe as it is written: the TOML file, checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from atlas_rag.plan import KeywordInput, VectorInput
from atlas_rag.query.request import Mode


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class VectorPart(_Part):
    """`[[inputs]]` with `kind = "vector"`; see `VectorInput`."""

    kind: Literal["vector"]
    name: str = "vector"
    index: str = "vector_index"
    path: str = "embedding"
    exact: bool = False

    def input(self) -> VectorInput:
        """The input pipeline."""
        return VectorInput(name=self.name, index=self.index, path=self.path, exact=self.exact)


class KeywordPart(_Part):
    """`[[inputs]]` with `kind = "keyword"`; see `KeywordInput`. `boosts` is a table of path to factor."""

    kind: Literal["keyword"]
    name: str = "keyword"
    index: str = "text_index"
    paths: tuple[str, ...] = ("text",)
    boosts: dict[str, Annotated[float, Field(gt=0)]] = {}

    def input(self) -> KeywordInput:
        """The input pipeline."""
        return KeywordInput(
            name=self.name, index=self.index, paths=self.paths, boosts=tuple(self.boosts.items())
        )


class RecipeFile(_Part):
    """The whole file.

    Args:
        indexes: files of index definitions, relative to this one.
        options: see `Recipe`. embedder: see `Recipe`.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    version: Annotated[int, Field(ge=1)]
    mode: Mode
    indexes: tuple[str, ...] = ()
    inputs: Annotated[
        tuple[Annotated[VectorPart | KeywordPart, Field(discriminator="kind")], ...], Field(min_length=1)
    ]
    options: dict[str, Any] = {}
    embedder: str | None = None
