"""OpenTelemetry: one span and one metric per retrieval, with names of the conventions and without text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from atlas_rag import AtlasRagError, HashingEmbedder, LocalClient, Retriever, VectorInput

SECRET = "marker question"


@pytest.fixture(scope="module")
def exporters() -> Iterator[tuple[InMemorySpanExporter, InMemoryMetricReader]]:
    spans, reader = InMemorySpanExporter(), InMemoryMetricReader()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    meters = MeterProvider(metric_readers=[reader])
    metrics.set_meter_provider(meters)
    yield spans, reader
    provider.shutdown()
    meters.shutdown()


def retriever() -> Retriever:
    embedder = HashingEmbedder(16)
    notes = LocalClient()["shop"]["notes"]
    notes.insert_one({"_id": 1, "text": "secret text", "embedding": embedder.embed_query("secret text")})
    fields = [{"type": "vector", "path": "embedding", "numDimensions": 16, "similarity": "cosine"}]
    notes.create_search_index(
        {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
    )
    return Retriever(notes, inputs=(VectorInput(),), embedder=embedder, retriever_id="r1")


def test_a_retrieval_is_one_internal_span_and_one_duration(
    exporters: tuple[InMemorySpanExporter, InMemoryMetricReader],
) -> None:
    spans, reader = exporters
    spans.clear()
    retriever().retrieve(SECRET, mode="vector", limit=3)
    (span,) = spans.get_finished_spans()
    assert (span.name, span.kind) == ("retrieval", trace.SpanKind.INTERNAL)
    attributes = dict(span.attributes or {})
    assert attributes.pop("atlas_rag.query_hash")
    assert attributes == {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "r1",
        "gen_ai.retrieval.top_k": 3,
        "db.system.name": "mongodb",
        "db.namespace": "shop",
        "db.collection.name": "notes",
        "db.response.returned_rows": 1,
        "atlas_rag.mode": "vector",
        "atlas_rag.route": "single",
        "atlas_rag.hits": 1,
    }
    data = reader.get_metrics_data()
    assert data is not None
    names = [m.name for r in data.resource_metrics for s in r.scope_metrics for m in s.metrics]
    assert "gen_ai.retrieval.duration" in names
    assert SECRET not in span.to_json()
    assert "secret text" not in span.to_json()


def test_a_failure_leaves_its_type_and_no_text(
    exporters: tuple[InMemorySpanExporter, InMemoryMetricReader],
) -> None:
    spans, _ = exporters
    spans.clear()
    with pytest.raises(AtlasRagError):
        retriever().retrieve(SECRET, mode="vector", vector=[1.0, 2.0])
    (span,) = spans.get_finished_spans()
    assert dict(span.attributes or {})["error.type"] == "CallError"
    assert span.events == ()
    assert SECRET not in span.to_json()
