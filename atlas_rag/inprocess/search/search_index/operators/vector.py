"""The `vectorSearch` operator and its deprecated forerunner `knnBeta`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.fields.vector import VectorField
from atlas_rag.inprocess.search.search_index.operators.context import Context, plain_paths
from atlas_rag.inprocess.search.search_index.operators.score import scored
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.nearest import Nearest
from atlas_rag.inprocess.search.vector_index import Vector, read_vector


def build_vector_search(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `vectorSearch` document; `score` acts on approximate ones only, as measured."""
    path = plain_paths(spec["path"])[0]
    field = _field(path, context, legacy=False)
    vector = None if spec.get("queryVector") is None else read_vector(spec["queryVector"])
    if vector is None:
        raise EngineRefusal("queryVector must be present")
    candidates = None if spec.get("exact") else int(spec["numCandidates"])
    filters = [spec[name] for name in ("filter", "parentFilter") if spec.get(name) is not None]
    nearest = _nearest(field, vector, int(spec["limit"]), candidates, filters, context)
    return nearest if candidates is None else scored(nearest, spec, context)


def build_knn_beta(spec: Mapping[str, Any], context: Context) -> Query:
    """Builds the query of a `knnBeta` document."""
    vector = read_vector([float(number) for number in spec["vector"]])
    count = int(spec["k"])
    filters = [] if spec.get("filter") is None else [spec["filter"]]
    if vector is None:
        raise EngineRefusal("vector must hold numbers that fit a 32-bit float")
    parts = [
        _nearest(_field(path, context, legacy=True), vector, count, count, filters, context)
        for path in plain_paths(spec["path"])
    ]
    return scored(should(parts), spec, context)


def limit_of(body: Mapping[str, Any]) -> int | None:
    """How many hits all partitions together may give, where the body asks for the nearest vectors."""
    if body.get("vectorSearch") is not None:
        return int(body["vectorSearch"]["limit"])
    return None if body.get("knnBeta") is None else int(body["knnBeta"]["k"])


def _nearest(
    field: VectorField,
    vector: Vector,
    limit: int,
    candidates: int | None,
    filters: list[Mapping[str, Any]],
    context: Context,
) -> Query:
    field.column().prepared(vector)  # refuses a vector that does not fit, documents or none
    queries = tuple(context.build(each) for each in filters)
    return Nearest(field.name, vector, limit, candidates, queries)


def _field(path: str, context: Context, *, legacy: bool) -> VectorField:
    node = context.node(path)
    kind = "knnVector" if legacy else "vector"
    field = None if node is None else node.fields.get(kind)
    if not isinstance(field, VectorField):
        if legacy and node is not None and "vector" in node.fields:
            raise EngineRefusal("No value present")  # all that the engine says
        raise EngineRefusal(f'{path} must be indexed as "{kind}".')
    return field
