"""Each version of a recipe sends what it always sent, and the engine takes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from atlas_rag import HashingEmbedder, LocalClient, as_embedder
from atlas_rag.cli.locking import emission, filter_paths
from atlas_rag.cli.recipes import retriever_of
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import ensure_indexes, unmet_needs
from atlas_rag.recipes import Recipe, read_recipe, recipe_names
from atlas_rag.wire import drive
from scripts.lock_recipes import FOLDER, file_of

RECIPES = {name: read_recipe(name) for name in recipe_names()}
each = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)


def embedder_of(recipe: Recipe) -> Any:
    """An embedder of the length and the name that the recipe asks for."""
    hashing = HashingEmbedder(recipe.dimensions or 8)
    return hashing if recipe.embedder is None else as_embedder(hashing, id=recipe.embedder)


@each
def test_a_version_emits_what_is_locked(recipe: Recipe) -> None:
    locked = json.loads(file_of(recipe).read_text(encoding="utf-8"))
    assert emission(recipe) == locked, (
        "a change of the emission is a new version: python -m scripts.lock_recipes"
    )


def test_every_route_is_locked() -> None:
    routes = {
        name: list(json.loads(file_of(recipe).read_text(encoding="utf-8"))["routes"])
        for name, recipe in RECIPES.items()
    }
    assert routes == {
        "handbook": ["native", "emulated", "client"],
        "hybrid": ["native", "emulated", "client"],
        "keyword": ["single"],
        "vector": ["single"],
    }


def test_nothing_is_locked_that_nobody_has() -> None:
    versions = {
        (recipe.name, version) for recipe in RECIPES.values() for version in range(1, recipe.version + 1)
    }
    locked = {
        (name, int(version)) for name, _, version in (path.stem.rpartition("-") for path in FOLDER.glob("*"))
    }
    assert locked == versions


@each
def test_a_recipe_has_the_indexes_that_its_retriever_needs(recipe: Recipe) -> None:
    collection = LocalClient()["app"]["docs"]
    collection.insert_one({"_id": 1})
    drive(ensure_indexes("app.docs", recipe.indexes), engine_for(collection))
    retriever = retriever_of(recipe, collection, embedder=embedder_of(recipe))
    needed = retriever.required_indexes(filter_paths=filter_paths(recipe))
    report = retriever.capability()
    assert report.indexes is not None
    assert unmet_needs(report.indexes, needed) == ()


@each
def test_a_recipe_answers_in_its_own_mode(recipe: Recipe) -> None:
    embedder = embedder_of(recipe)
    collection = LocalClient()["app"]["docs"]
    texts: Any = ("csv files are read with csv.reader", "gzip compresses")
    collection.insert_many(
        {
            "_id": i,
            "title": text.split()[0],
            "text": text,
            "kind": "module",
            "embedding": list(embedder.embed_query(text)),
        }
        for i, text in enumerate(texts)
    )
    drive(ensure_indexes("app.docs", recipe.indexes), engine_for(collection))
    result = retriever_of(recipe, collection, embedder=embedder).retrieve("read a csv file", limit=1)
    assert result.evidence.executed_mode == recipe.mode
    assert [hit.id for hit in result] == [0]
    assert result.evidence.retriever_id == recipe.id
