"""A recipe as it is written: the TOML file, checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from atlas_rag.query.request import Mode

FORMAT = 1
"""The format of recipe files that this version of the library reads."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RecipeFile(_Part):
    """The whole file.

    Args:
        format: of the file; this version of the library reads format 1.
        inputs: each as `Input.to_dict` writes it: `kind` (vector, keyword, search, pipeline) and its options.
        fusion: as `Fusion.to_dict` writes it; default by ranks.
        indexes: files of index definitions, relative to this one, or definitions as `createSearchIndexes`
            takes them.
        options: see `Recipe`. embedder: see `Recipe`.
    """

    format: Literal[1] = 1
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    version: Annotated[int, Field(ge=1)]
    mode: Mode
    indexes: tuple[str | dict[str, Any], ...] = ()
    inputs: Annotated[tuple[dict[str, Any], ...], Field(min_length=1)]
    fusion: dict[str, Any] = {}
    required_filters: tuple[str, ...] = ()
    thresholds: dict[str, float] = {}
    provenance: dict[str, Any] = {}
    options: dict[str, Any] = {}
    embedder: str | None = None


def recipe_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a recipe file."""
    schema = RecipeFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "atlas-rag recipe"}
