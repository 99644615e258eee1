"""OpenTelemetry, where its API is installed: one span and one metric per retrieval, no text, no vectors.

Commands have spans of their own where the driver is instrumented; this is the logical call around them.
Source: OpenTelemetry semantic conventions, database (stable) and generative AI (development).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from atlas_rag.version import __version__

if TYPE_CHECKING:
    from atlas_rag.query.request import Request
    from atlas_rag.retriever.result import Result
    from atlas_rag.retriever.setup import Setup

SPAN = "retrieval"
METRIC = "gen_ai.retrieval.duration"


def observed(setup: Setup, request: Request) -> AbstractContextManager[Callable[[Result], Result]]:
    """A span around one retrieval; the function it gives notes the result and hands it on."""
    instruments = _instruments()
    return _UNOBSERVED if instruments is None else _span(*instruments, setup, request)


def _unchanged(result: Result) -> Result:
    return result


_UNOBSERVED = nullcontext(_unchanged)


@contextmanager
def _span(tracer: Any, duration: Any, setup: Setup, request: Request) -> Iterator[Callable[[Result], Result]]:
    database, _, collection = setup.namespace.partition(".")
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": SPAN,
        "gen_ai.data_source.id": setup.retriever_id,
        "gen_ai.retrieval.top_k": request.options.limit,
        "db.system.name": "mongodb",
        "db.namespace": database,
        "db.collection.name": collection,
    }
    started = time.perf_counter()
    with tracer.start_as_current_span(
        SPAN, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as span:

        def note(result: Result) -> Result:
            span.set_attributes(_of(result))
            return result

        try:
            yield note
        except BaseException as error:
            attributes["error.type"] = type(error).__name__
            span.set_attribute("error.type", type(error).__name__)
            raise
        finally:
            duration.record(time.perf_counter() - started, attributes)


def _of(result: Result) -> dict[str, Any]:
    evidence = result.evidence
    return {
        "db.response.returned_rows": evidence.considered_count,
        "atlas_rag.mode": evidence.executed_mode,
        "atlas_rag.route": evidence.route,
        "atlas_rag.hits": evidence.admitted_count,
        "atlas_rag.query_hash": evidence.query_hash,
    }


@lru_cache(maxsize=1)
def _api() -> tuple[Any, Any] | None:
    """The tracing and metrics modules of the API, or None where it is not installed."""
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        return None
    return trace, metrics


def _instruments() -> tuple[Any, Any] | None:
    """The tracer and the duration histogram, or None while the application has set up no provider."""
    api = _api()
    if api is None or isinstance(api[0].get_tracer_provider(), api[0].ProxyTracerProvider):
        return None
    return _made()


@lru_cache(maxsize=1)
def _made() -> tuple[Any, Any]:
    from opentelemetry import metrics, trace

    tracer = trace.get_tracer("atlas_rag", __version__)
    meter = metrics.get_meter("atlas_rag", __version__)
    return tracer, meter.create_histogram(METRIC, unit="s", description="Duration of a retrieval")
