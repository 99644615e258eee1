"""The question's vector for each input pipeline that needs one."""

from __future__ import annotations

import time
from typing import Any

from atlas_rag.embed.asking import embed_question
from atlas_rag.errors import AtlasRagError
from atlas_rag.plan import Cause, Draft, Note, Route
from atlas_rag.plan.draft import left_out
from atlas_rag.plan.plan import own_vectors
from atlas_rag.retriever.progress import Stage
from atlas_rag.retriever.setup import Setup
from atlas_rag.retriever.trace import Trace
from atlas_rag.wire import Flow

UNKNOWN = "the embedder knows no word of the question"


def embedded(draft: Draft, setup: Setup, trace: Trace) -> Flow[dict[str, Any]]:
    """Query vectors by input pipeline name: the caller's own, else the embedder's, asked once.

    An input whose vector has no direction, since the embedder knows no word of the question, is left out.

    Raises:
        RetrievalError: PROVIDER_FAILED (7206), the embedder failed.
        CallError: INVALID_VECTOR, what it gave is no vector.
    """
    vectors = own_vectors(draft)
    waiting = [one for one in draft.chosen if one.needs_vector and one.name not in vectors]
    if draft.route is Route.NONE or not waiting or setup.embedder is None:
        return vectors
    started = time.perf_counter()
    try:
        answer = yield from embed_question(setup.embedder, draft.request.text or "")
    except AtlasRagError as error:
        others = len(waiting) < len(draft.chosen)
        if draft.request.options.on_input_failure == "refuse" or not others:
            raise
        for one in waiting:
            draft.leave_out(one, left_out(one.name, error))
        return vectors
    trace.usage += answer.usage
    yield from trace.ended(Stage.EMBEDDING, started, 1)
    if answer.vector.is_zero and len(waiting) < len(draft.chosen):
        for one in waiting:
            draft.leave_out(one, Note(Cause.MODE_FALLBACK, UNKNOWN, one.name))
        return vectors
    return vectors | {one.name: answer.vector for one in waiting}
