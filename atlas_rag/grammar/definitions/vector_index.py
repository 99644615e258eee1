"""The definition of an index of type `vectorSearch`. Unknown keys of its root are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.partitions import NUM_PARTITIONS
from atlas_rag.grammar.definitions.stored_source import VECTOR_STORED_SOURCE
from atlas_rag.grammar.definitions.vector_fields import (
    BITS_PER_BYTE,
    DIMENSIONS,
    GRAPH,
    GRAPH_NEEDS_HNSW,
    MODALITY,
    MODEL,
    QUANTIZATION,
    SIMILARITY,
    VECTOR,
)
from atlas_rag.grammar.geometry import constant_name
from atlas_rag.grammar.kit import Document, Enum, Later, ListOf, MapOf, Rule, Tagged, Text, field, required
from atlas_rag.grammar.problem import At, Found, bare_problem, problem

_PATH: Final = required("path", Text())
_MODEL_DEFAULTS: Final = ("numDimensions", "similarity", "quantization")


def _model_is_known(embedding: Mapping[str, Any], at: At, found: Found) -> None:
    """What is not said is taken from the model, and a deployment without an embedding service knows none."""
    quantization, dimensions = embedding.get("quantization"), embedding.get("numDimensions")
    if any(embedding.get(name) is None for name in _MODEL_DEFAULTS):
        text = f"CanonicalModel: {embedding['model']} not registered yet, supported models are: []"
        found.append(bare_problem(at, text, "model"))
    elif dimensions and dimensions % BITS_PER_BYTE and str(quantization).startswith("binary"):
        text = (
            "numDimensions must be a multiple of 8 for quantization type "
            f"{constant_name(str(quantization))}; but got {int(dimensions)}"
        )
        found.append(bare_problem(at, text, "bounds"))


_NESTED: Final = Later()

_FIELD: Final = Tagged(
    "type",
    {
        "autoEmbed": Document(
            _PATH,
            MODEL,
            MODALITY,
            field("numDimensions", DIMENSIONS),
            field("similarity", SIMILARITY),
            field("quantization", Enum("binary", "binaryNoRescore", "float", "scalar")),
            *GRAPH,
            GRAPH_NEEDS_HNSW,
            Rule(_model_is_known, "model", *_MODEL_DEFAULTS),
        ),
        "embeddedDocuments": Document(_PATH, field("fields", MapOf(_NESTED))),
        "filter": Document(_PATH),
        "text": Document(
            _PATH,
            field("model", Text()),
            field("similarity", SIMILARITY),
            field("quantization", QUANTIZATION),
        ),
        "vector": Document(_PATH, *VECTOR),
    },
)
_NESTED.define(_FIELD)


def _distinct_paths(fields: list[Any], at: At, found: Found) -> None:
    if len({one["path"] for one in fields}) < len(fields):
        text = "Vector and filter fields should have distinct paths"
        found.append(problem(at, text, "duplicate"))


VECTOR_INDEX: Final = Document(
    required("fields", ListOf(_FIELD, rule=_distinct_paths)),
    field("nestedRoot", Text()),
    VECTOR_STORED_SOURCE,
    NUM_PARTITIONS,
    open=True,
)
