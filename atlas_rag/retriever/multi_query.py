"""Variants of a question, asked beside it: what one wording misses another may find."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from atlas_rag.errors import AtlasRagError, CallError, Code, RetrievalError
from atlas_rag.query.content import has_content
from atlas_rag.query.refusal import known_names, shown
from atlas_rag.query.request import Request
from atlas_rag.retriever.progress import Stage
from atlas_rag.retriever.trace import Trace
from atlas_rag.wire import Call, Flow

DEFAULT_MOST = 3
MOST = 9
"""Variants beside the question: ten wordings of two input pipelines are twenty searches in one request."""


@known_names
@dataclass(frozen=True, slots=True)
class MultiQuery:
    """Asks a question in several wordings, and fuses what they find by the fusion of the retriever.

    Args:
        rewriter: a function from the question to other wordings of it, plain or async, such as a call of a
            language model.
        most: variants used at most, 1 to 9; default 3.
        blocking: whether a plain function waits or computes for long; default True.

    >>> MultiQuery(lambda question: [question.lower()], most=1).most
    1
    """

    rewriter: Callable[[str], Sequence[str] | Awaitable[Sequence[str]]] = field(repr=False)
    most: int = DEFAULT_MOST
    blocking: bool = True

    def __post_init__(self) -> None:
        if not callable(self.rewriter):
            raise CallError(
                f"MultiQuery.rewriter is {shown(self.rewriter)}",
                expected="a function from a question to other wordings of it",
                next_step="pass lambda question: […]",
            )
        if type(self.most) is not int or not 1 <= self.most <= MOST:
            raise CallError(
                f"MultiQuery.most is {shown(self.most)}",
                expected=f"1 to {MOST}",
                next_step=f"leave it out for {DEFAULT_MOST}",
            )


def varied(request: Request, multi_query: MultiQuery | None, trace: Trace) -> Flow[Request]:
    """The request with variants of its question, where it brings none of its own.

    Raises:
        RetrievalError: PROVIDER_FAILED (7206), the rewriter failed.
    """
    if multi_query is None or request.text is None or request.options.variants is not None:
        return request
    started = time.perf_counter()
    try:
        answer = yield Call(partial(multi_query.rewriter, request.text), blocking=multi_query.blocking)
    except AtlasRagError:
        raise
    except Exception as error:
        raise _failed(type(error).__name__) from error
    if not isinstance(answer, (list, tuple)) or not all(isinstance(one, str) for one in answer):
        raise _failed(f"it answered with a {type(answer).__name__}")
    yield from trace.ended(Stage.QUERY_REWRITE, started, len(answer))
    others = dict.fromkeys(
        one for one in map(str.strip, answer) if has_content(one) and one != request.text.strip()
    )
    return request.with_options(variants=tuple(others)[: multi_query.most] or None)


def _failed(how: str) -> RetrievalError:
    return RetrievalError(
        f"The rewriter of MultiQuery failed ({how})",
        expected="a list of strings",
        next_step="try again, or repair the rewriter; [] asks the question alone",
        code=Code.PROVIDER_FAILED,
    )
