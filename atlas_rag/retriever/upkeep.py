"""What a retriever does for the collection that it asks: indexes, documents, and whether the two fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.indexes import IndexState, Problem, WantedIndex, check_documents, ensure_indexes
from atlas_rag.loading import LoadReport, Target, load, read_items
from atlas_rag.loading.item import Source
from atlas_rag.retriever.setup import Setup
from atlas_rag.wire import Flow


def ensuring(
    setup: Setup, wanted: Sequence[WantedIndex], allow: Collection[str], timeout: float
) -> Flow[tuple[IndexState, ...]]:
    """See `Retriever.ensure_indexes`; what was known of the deployment before is forgotten."""
    states = yield from ensure_indexes(setup.namespace, wanted, allow=allow, timeout=timeout)
    setup.capabilities.forget(setup.namespace)
    return states


def loading(setup: Setup, items: Iterable[Mapping[str, Any]] | Source) -> Flow[LoadReport]:
    """See `Retriever.load`."""
    if setup.embedder is None:
        raise CallError(
            "The retriever has no embedder",
            expected="an embedder, which makes the vectors of the documents",
            next_step="pass Retriever(embedder=…)",
        )
    path = next((path for one in setup.inputs for path in one.vector_paths), "embedding")
    source = items if isinstance(items, Source) else read_items(items, text=setup.text_path)
    return (yield from load(setup.namespace, source, setup.embedder, target=Target(vector_path=path)))


def checking(
    setup: Setup, wanted: Sequence[WantedIndex], sample: int
) -> Flow[tuple[int, tuple[Problem, ...]]]:
    """See `Retriever.check_documents`."""
    return (yield from check_documents(setup.namespace, wanted, sample=sample))
