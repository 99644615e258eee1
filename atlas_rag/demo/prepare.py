"""Loads the handbook and builds its indexes."""

from __future__ import annotations

from typing import Any

from atlas_rag.demo.corpus import RECIPE, articles
from atlas_rag.drivers.choose import engine_for
from atlas_rag.embed import Embedder
from atlas_rag.indexes import ensure_indexes
from atlas_rag.loading import load
from atlas_rag.recipes import read_recipe
from atlas_rag.wire import drive


def prepare(collection: Any, embedder: Embedder) -> None:
    """Stores what is not there yet and waits until the indexes can be queried; a second call changes nothing.

    Args:
        collection: a synchronous collection that the demo may write to.
    """
    engine = engine_for(collection)
    drive(load(engine.namespace, articles(), embedder), engine)
    drive(ensure_indexes(engine.namespace, read_recipe(RECIPE).indexes), engine)
