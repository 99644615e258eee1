"""A result to a prompt block, as its options ask for it."""

from __future__ import annotations

import time
from dataclasses import replace

from atlas_rag.context import Budget, Context, Paths, build_context
from atlas_rag.context.build import Order
from atlas_rag.hits.evidence import Rejection
from atlas_rag.retriever.progress import Stage
from atlas_rag.retriever.result import Result
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.trace import Trace
from atlas_rag.wire import Flow

SHOWN = (str, int, float, bool)


def in_context(result: Result, setup: Setup, budget: Budget | None, order: Order) -> Flow[Context]:
    """Packs the hits of a result; its own `include_metadata` and `include_reference` say what is shown.

    Raises:
        RetrievalError: RAG_CONTEXT_BUDGET_TOO_SMALL (7204).
    """
    started = time.perf_counter()
    options = result.options
    metadata = _metadata_paths(result, setup, Paths().uri) if options.include_metadata else ()
    paths = Paths(text=setup.text_path, title=setup.title_path, metadata=metadata, updated=setup.updated_path)
    context = build_context(result.hits, budget, paths, order=order, references=options.include_reference)
    yield from Trace(setup.progress).ended(Stage.CONTEXT_BUILD, started, len(context.sources))
    left_out = {hit.rank: _rejection(reason) for hit, reason in context.dropped}
    evidence = result.evidence.in_prompt(left_out, order=order, chars=context.chars, tokens=context.tokens)
    return replace(context, evidence=evidence)


def _rejection(reason: str) -> Rejection:
    return "no-text" if reason == "no-text" else "over-budget"


def _metadata_paths(result: Result, setup: Setup, uri: str) -> tuple[str, ...]:
    """Top-level fields with plain values, in order of appearance, beside those that a source shows anyway."""
    apart = {"_id", setup.text_path, setup.title_path, uri}
    found = (name for hit in result for name, value in hit.fields.items() if isinstance(value, SHOWN))
    return tuple(dict.fromkeys(name for name in found if name not in apart))
