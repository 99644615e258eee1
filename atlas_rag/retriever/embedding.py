"""The question's vector for each input pipeline that needs one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.embed import Embedder
from atlas_rag.embed.asking import embed_question
from atlas_rag.errors import AtlasRagError
from atlas_rag.plan import Cause, Draft, Input, Note, Route
from atlas_rag.plan.draft import left_out
from atlas_rag.plan.plan import own_vectors
from atlas_rag.retriever.progress import Stage
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.trace import Trace
from atlas_rag.stages import Vector
from atlas_rag.wire import Flow

Wording = tuple[str, str]
"""The id of an embedder, and the text that it is asked for."""
UNKNOWN = "the embedder knows no word of the question"


def embedded(
    draft: Draft, setup: Setup, trace: Trace, known: dict[Wording, Vector]
) -> Flow[dict[str, Any] | None]:
    """Query vectors by input pipeline name: the caller's own, else an embedder's, each embedder asked once.

    An input whose vector has no direction, since the embedder knows no word of the question, is left out;
    None where no other is left.

    Args:
        known: vectors by embedder id and wording; what is asked is added, what is there is not asked.

    Raises:
        RetrievalError: PROVIDER_FAILED (7206), an embedder failed.
        CallError: INVALID_VECTOR, what it gave is no vector.
    """
    vectors = own_vectors(draft)
    if draft.route is Route.NONE:
        return vectors
    for embedder, text, inputs in _waiting(draft, setup, vectors):
        others, asked = len(inputs) < len(draft.chosen), (embedder.id, text)
        if asked not in known:
            try:
                known[asked] = yield from _asked(embedder, text, trace)
            except AtlasRagError as error:
                if draft.request.options.on_input_failure == "refuse" or not others:
                    raise
                _leave_out(draft, inputs, error)
                continue
        if not known[asked].is_zero:
            vectors |= {one.name: known[asked] for one in inputs}
        elif others:
            _leave_out(draft, inputs, None)
        else:
            return None
    return vectors


def _asked(embedder: Embedder, text: str, trace: Trace) -> Flow[Vector]:
    started = time.perf_counter()
    answer = yield from embed_question(embedder, text)
    trace.usage += answer.usage
    trace.embedders.append(embedder.id)
    yield from trace.ended(Stage.EMBEDDING, started, 1)
    return answer.vector


def _waiting(
    draft: Draft, setup: Setup, vectors: Mapping[str, Any]
) -> list[tuple[Embedder, str, list[Input]]]:
    """The embedders to ask, each wording once, with the input pipelines that its vector is for."""
    groups: dict[Wording, tuple[Embedder, str, list[Input]]] = {}
    for one in draft.chosen:
        embedder = one.own_embedder or setup.embedder
        if one.needs_vector and one.name not in vectors and embedder is not None:
            text = one.wording or draft.request.text or ""
            groups.setdefault((embedder.id, text), (embedder, text, []))[2].append(one)
    return list(groups.values())


def _leave_out(draft: Draft, inputs: Sequence[Input], error: AtlasRagError | None) -> None:
    for one in inputs:
        why = Note(Cause.MODE_FALLBACK, UNKNOWN, one.name) if error is None else left_out(one.name, error)
        draft.leave_out(one, why)
