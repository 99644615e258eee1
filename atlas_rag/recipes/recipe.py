"""What a recipe is: input pipelines, the index definitions they need, and the defaults of each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.indexes import WantedIndex
from atlas_rag.plan import Fusion, Input
from atlas_rag.query.options import RetrievalOptions
from atlas_rag.query.request import Mode


@dataclass(frozen=True, slots=True)
class Recipe:
    """A named, versioned way to answer.

    Args:
        name, version: together they name one locked emission.
        mode: how a call is answered that names none.
        inputs: the input pipelines. indexes: the definitions they need.
        options: further defaults of each call, see `RetrievalOptions`.
        fusion: how lists become one; default by ranks.
        required_filters: paths that the filter of every call has to name.
        thresholds: what a final score has to reach, by score kind.
        provenance: where its numbers come from, such as an experiment's digest, date and gain.
        embedder: id of the embedder that its vectors come from; None where any of that length will do.
    """

    name: str
    version: int
    mode: Mode
    inputs: tuple[Input, ...]
    indexes: tuple[WantedIndex, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    embedder: str | None = None
    fusion: Fusion = field(default_factory=Fusion)
    required_filters: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Name and version, such as `hybrid-1`: what evidence calls a retriever of this recipe."""
        return f"{self.name}-{self.version}"

    def call_options(self, given: RetrievalOptions | Mapping[str, Any] | None = None) -> RetrievalOptions:
        """The defaults of each call: the recipe's, and laid over them what is given.

        Raises:
            CallError: INVALID_OPTION.
        """
        written: dict[str, Any] = {"search_mode": self.mode, **self.options}
        if self.thresholds:
            written["score_threshold"] = dict(self.thresholds)
        own = RetrievalOptions().override(written)
        if isinstance(given, RetrievalOptions):
            given = {name: getattr(given, name) for name in given.given}
        return own.override(given or {})

    @property
    def dimensions(self) -> int | None:
        """Length of the vectors of its first vector index; None where it has none."""
        fields = [one for index in self.indexes for one in index.to_dict()["definition"].get("fields", ())]
        return next((int(one["numDimensions"]) for one in fields if one["type"] == "vector"), None)


def check_embedder(recipe: Recipe, embedder: Any) -> None:
    """Refuses an embedder whose vectors are not those of the recipe.

    Raises:
        CallError: INVALID_OPTION.
    """
    if embedder is None:
        return
    name, length = getattr(embedder, "id", None), getattr(embedder, "dimensions", None)
    if recipe.embedder is not None and name is not None and name != recipe.embedder:
        raise CallError(
            f"The embedder is {name!r}",
            expected=f"{recipe.embedder!r}, which the vectors of the recipe {recipe.id!r} come from",
            next_step="use that embedder, or another version of the recipe",
        )
    if length is not None and recipe.dimensions not in (None, length):
        raise CallError(
            f"The embedder {name!r} makes vectors of {length} dimensions",
            expected=f"{recipe.dimensions}, as the index definitions of the recipe {recipe.id!r}",
            next_step="use the embedder that the documents were embedded with",
        )


def recipe_document(recipe: Recipe) -> dict[str, Any]:
    """The whole content of a recipe, as its file may hold it; what is at its default is left out.

    Raises:
        CallError: INVALID_OPTION, an input is made by a function and cannot be written down.
    """
    fusion = recipe.fusion.to_dict()
    optional = {
        "embedder": recipe.embedder,
        "options": dict(recipe.options),
        "thresholds": dict(recipe.thresholds),
        "required_filters": list(recipe.required_filters),
        "fusion": {} if fusion == Fusion().to_dict() else fusion,
        "indexes": [index.to_dict() for index in recipe.indexes],
        "provenance": dict(recipe.provenance),
    }
    return {
        "name": recipe.name,
        "version": recipe.version,
        "mode": recipe.mode.value,
        **{key: value for key, value in optional.items() if value},
        "inputs": [one.to_dict() for one in recipe.inputs],
    }
