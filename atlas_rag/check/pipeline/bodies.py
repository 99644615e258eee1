"""The bodies of search stages: what mongod refuses itself, then what the search engine refuses."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.check.pipeline.walk import Pipeline, Stage
from atlas_rag.check.report import ENGINE_CODE, Codes, Finding, Severity, from_problems
from atlas_rag.grammar import problems
from atlas_rag.grammar.kit import is_document, is_number
from atlas_rag.grammar.operators import DEPRECATED, OPERATORS

NOT_AN_OBJECT = Codes.same(9)
NULL_FILTER = Codes.same(10065)
UNKNOWN_OPERATOR = Codes.same(2)
LIMIT_NOT_A_NUMBER = Codes(8575100, 65137)
LIMIT_NOT_POSITIVE = Codes(7912700, 65137)

MQL_OPERATORS = frozenset(
    {
        "$all", "$alwaysFalse", "$alwaysTrue", "$and", "$bitsAllClear", "$bitsAllSet", "$bitsAnyClear",
        "$bitsAnySet", "$comment", "$elemMatch", "$eq", "$exists", "$expr", "$geoIntersects", "$geoWithin",
        "$gt", "$gte", "$in", "$jsonSchema", "$lt", "$lte", "$mod", "$ne", "$near", "$nearSphere", "$nin",
        "$nor", "$not", "$options", "$or", "$rand", "$regex", "$sampleRate", "$size", "$text", "$type",
        "$where",
    }
)  # fmt: skip
"""Query operators that mongod parses; the search engine takes fewer."""

BODIES = {
    "$search": "search",
    "$searchBeta": "search",
    "$searchMeta": "searchMeta",
    "$vectorSearch": "vectorSearch",
}
"""The grammar of each search stage."""


def bodies(pipeline: Pipeline) -> Iterator[Finding]:
    """Everything that is wrong inside the search stages of a pipeline."""
    for stage in pipeline.stages:
        if stage.name in BODIES:
            yield from stage_body(stage)


def stage_body(stage: Stage) -> Iterator[Finding]:
    """Everything that is wrong inside one search stage."""
    if not is_document(stage.body):
        text = f"{stage.name} value must be an object"
        yield Finding(stage.path, text, "type", codes=NOT_AN_OBJECT)
        return
    if stage.name == "$vectorSearch":
        yield from _checked_by_mongod(stage)
    found = problems(BODIES[stage.name], stage.body)
    if stage.name == "$vectorSearch":  # mongod speaks of limits before the engine reads them
        found = [one for one in found if one.path != "limit" or "limit" not in stage.body]
    yield from from_problems(found, stage.path, ENGINE_CODE)
    yield from deprecated_operators(stage.body, stage.path)


def _checked_by_mongod(stage: Stage) -> Iterator[Finding]:
    body = stage.body
    if "filter" in body and body["filter"] is None:
        text = "filter must be an object"
        advice = "leave the key out instead of sending null"
        yield Finding(f"{stage.path}.filter", text, "type", suggestion=advice, codes=NULL_FILTER)
    yield from _unknown_operators(body.get("filter"), f"{stage.path}.filter")
    yield from _search_operators(body.get("filter"), f"{stage.path}.filter")
    limit = body.get("limit")
    if limit is not None and not is_number(limit):
        text = f"Expected limit to be a number, got: {limit_text(limit)}"
        yield Finding(f"{stage.path}.limit", text, "type", codes=LIMIT_NOT_A_NUMBER)
    elif limit is not None and not limit >= 1:
        text = "Expected limit to be positive"
        yield Finding(f"{stage.path}.limit", text, "bounds", codes=LIMIT_NOT_POSITIVE)


def limit_text(value: Any) -> str:
    """A wrong limit as mongod shows it."""
    return f'limit: "{value}"' if isinstance(value, str) else f"limit: {value}"


def _search_operators(condition: Any, path: str) -> Iterator[Finding]:
    """Operators of `$search` where a filter of `$vectorSearch` has field names."""
    for name, value in condition.items() if is_document(condition) else ():
        if name in OPERATORS and is_document(value) and ("path" in value or name == "compound"):
            text = f'"{name}" is read as the name of a field: this filter is written in the query language'
            advice = "write {field: {$eq: …}}, or search with the operator vectorSearch of $search"
            yield Finding(f"{path}.{name}", text, "search-operator", Severity.WARNING, suggestion=advice)


def _unknown_operators(condition: Any, path: str) -> Iterator[Finding]:
    """Names with a dollar that MQL does not know; mongod reads a filter before the search engine does."""
    if is_document(condition):
        for name, value in condition.items():
            if name.startswith("$") and name not in MQL_OPERATORS:
                near = difflib.get_close_matches(name, MQL_OPERATORS, n=1, cutoff=0.75)
                advice = f'did you mean "{near[0]}"?' if near else None
                text = f"unknown operator: {name}"
                yield Finding(f"{path}.{name}", text, "operator", suggestion=advice, codes=UNKNOWN_OPERATOR)
            else:
                yield from _unknown_operators(value, f"{path}.{name}")
    elif isinstance(condition, list):
        for index, item in enumerate(condition):
            yield from _unknown_operators(item, f"{path}[{index}]")


def deprecated_operators(body: Mapping[str, Any], path: str) -> Iterator[Finding]:
    """A warning for each operator that is read only because old queries hold it."""
    for name, value in body.items():
        if name in DEPRECATED and is_document(value) and name in OPERATORS:
            advice = _INSTEAD[name]
            text = f'the operator "{name}" is deprecated'
            place = f"{path}.{name}" if path else name
            yield Finding(place, text, "deprecated", Severity.WARNING, suggestion=advice)
        elif is_document(value):
            yield from deprecated_operators(value, f"{path}.{name}" if path else name)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if is_document(item):
                    place = f"{path}.{name}" if path else name
                    yield from deprecated_operators(item, f"{place}[{index}]")


_INSTEAD = {
    "knnBeta": "use $vectorSearch, or the operator vectorSearch on a vector field",
    "search": "use text or phrase",
    "span": "use phrase with slop",
    "term": "use text, equals, regex or wildcard",
}
