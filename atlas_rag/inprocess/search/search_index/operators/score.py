"""The `score` option of an operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index.operators.context import Context
from atlas_rag.inprocess.search.search_index.queries.base import Query
from atlas_rag.inprocess.search.search_index.queries.function import (
    Expression,
    FunctionScore,
    Gauss,
    Literal,
    Logarithm,
    PathValue,
    Product,
    Relevance,
    Sum,
)
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost, Constant


def scored(query: Query, spec: Mapping[str, Any], context: Context) -> Query:
    """Applies the `score` option of an operator's document to its query."""
    option = spec.get("score")
    return query if option is None else apply_score(query, option, context)


def apply_score(query: Query, option: Mapping[str, Any], context: Context) -> Query:
    """Applies a score option: boost, constant or function."""
    if option.get("boost") is not None:
        return _boosted(query, option["boost"], context)
    if option.get("constant") is not None:
        return Boost(Constant(query), float(option["constant"]["value"]))
    if option.get("function") is not None:
        return FunctionScore(query, expression(option["function"], context))
    return query


def _boosted(query: Query, boost: Mapping[str, Any], context: Context) -> Query:
    if boost.get("value") is not None:
        return Boost(query, float(boost["value"]))
    return FunctionScore(query, _path(boost, "path", context), multiplied=True)


def expression(spec: Mapping[str, Any], context: Context) -> Expression:
    """Builds the expression of `score.function`."""
    if spec.get("score") is not None:
        return Relevance()
    if spec.get("constant") is not None:
        return Literal(float(spec["constant"]))
    if spec.get("add") is not None:
        return Sum(tuple(expression(part, context) for part in spec["add"]))
    if spec.get("multiply") is not None:
        return Product(tuple(expression(part, context) for part in spec["multiply"]))
    if spec.get("log") is not None:
        return Logarithm(expression(spec["log"], context))
    if spec.get("log1p") is not None:
        return Logarithm(expression(spec["log1p"], context), plus_one=True)
    if spec.get("gauss") is not None:
        return _gauss(spec["gauss"], context)
    return (
        _path(spec["path"], "value", context)
        if isinstance(spec["path"], Mapping)
        else _named(spec["path"], 0.0, context)
    )


def _path(spec: Mapping[str, Any], key: str, context: Context) -> PathValue:
    undefined = spec.get("undefined")
    return _named(spec[key], 0.0 if undefined is None else float(undefined), context)


def _named(path: str, undefined: float, context: Context) -> PathValue:
    node = context.node(path)
    if node is None or node.number is None:
        raise EngineRefusal(
            f'path expression for function score requires path "{path}" to be indexed as numeric'
        )
    return PathValue(node.number.name, path, undefined)


def _gauss(spec: Mapping[str, Any], context: Context) -> Gauss:
    path = spec["path"]
    inner = _path(path, "value", context) if isinstance(path, Mapping) else _named(path, 0.0, context)
    offset, decay = spec.get("offset"), spec.get("decay")
    return Gauss(
        inner,
        float(spec["origin"]),
        float(spec["scale"]),
        0.0 if offset is None else float(offset),
        0.5 if decay is None else float(decay),
    )
