"""What the grammar refuses in the engine's words where no recording holds it: rules and their neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.grammar import (
    search_index_problems,
    search_problems,
    vector_search_problems,
)

OPERATOR = {"exists": {"path": "a"}}
SHOULD = {"should": [OPERATOR]}
MULTI: dict[str, Any] = {"type": "string", "multi": {}}


def box(west: float, south: float, east: float, north: float) -> dict[str, Any]:
    corners = {"bottomLeft": (west, south), "topRight": (east, north)}
    area = {name: {"type": "Point", "coordinates": [*at]} for name, at in corners.items()}
    return {"geoWithin": {"path": "g", "box": area}}


def dismax(tie: float) -> dict[str, Any]:
    return {"compound": {**SHOULD, "score": {"dismax": {"tieBreakerScore": tie}}}}


def gauss(decay: float) -> dict[str, Any]:
    function = {"gauss": {"path": "n", "origin": 1, "scale": 2, "decay": decay}}
    return {"exists": {"path": "a", "score": {"function": function}}}


DECAY = '"exists.score.function.gauss.decay" must be between 0 and 1 (exclusive)'
TIE = '"compound.score.dismax.tieBreakerScore" must be within bounds [0.0..1.0]'
LONGITUDE = '"geoWithin.box" bottomLeft.longitude must be smaller than topRight.longitude'
LATITUDE = '"geoWithin.box" bottomLeft.latitude must be smaller than topRight.latitude'
ONE_TOKEN = "at most one of [searchAfter, searchBefore] may be present"
BAD_TOKEN = '"searchBefore" Invalid format for token value'
JOINED = {"path": "a", "operator": {"text": {}}, "score": {"boost": {"value": -1}}}


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (dismax(-0.0), TIE),
        (dismax(0.0), None),
        (gauss(0), DECAY),
        (gauss(-0.0), DECAY),
        (gauss(1), DECAY),
        (box(1, 2, 1, 3), LONGITUDE),
        (box(1, 2, 3, 2), LATITUDE),
        (box(1, 2, 1, 2), LONGITUDE),
        (box(1, 2, 3, 4), None),
        ({"queryString": {}}, '"queryString.query" is required'),
        ({"queryString": {"query": "", "defaultPath": "a"}}, '"queryString.query" cannot be empty'),
        ({"queryString": {"query": " ", "defaultPath": "a"}}, None),
        ({"embeddedDocument": JOINED}, '"embeddedDocument.operator.text.path" is required'),
        ({**OPERATOR, "searchAfter": "@", "searchBefore": "@"}, BAD_TOKEN),
        ({**OPERATOR, "searchAfter": "CAU=", "searchBefore": "CAU="}, ONE_TOKEN),
    ],
)
def test_search(body: dict[str, Any], wanted: str | None) -> None:
    assert next(iter(search_problems(body)), None) == wanted


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"filter": {"a": {"b": 2, "$eq": 1}}}, '"filter.a" unrecognized field "b"'),
        ({"filter": {"a": {"$eq": 1, "b": 2}}}, '"filter.a" unrecognized field "b"'),
        ({"queryVector": None, "query": "x", "model": ""}, '"model" cannot be empty'),
    ],
)
def test_vector_search(change: dict[str, Any], wanted: str) -> None:
    body = {"path": "v", "index": "i", "queryVector": [1.0], "limit": 1, "numCandidates": 1, **change}
    assert vector_search_problems(body)[0] == wanted


def field(*types: dict[str, Any]) -> dict[str, Any]:
    return {"mappings": {"fields": {"a": types[0] if len(types) == 1 else [*types]}}}


def sortable(*kinds: str) -> dict[str, Any]:
    return field(*({"type": f"sortable{kind}BetaV1"} for kind in kinds))


SORTABLE = (
    '"mappings.fields.a" can only define one of '
    "[sortableDateBetaV1, sortableNumberBetaV1, sortableStringBetaV1]"
)
GRAMS = '"mappings.fields.a" maxGrams must be greater than or equal to the default minGrams value of 2'


@pytest.mark.parametrize(
    ("definition", "wanted"),
    [
        (field({"type": "autocomplete", "maxGrams": 1}), GRAMS),
        (field({"type": "autocomplete", "maxGrams": 2}), None),
        (field({"type": "autocomplete", "maxGrams": 1, "minGrams": 1}), None),
        (sortable("Date", "Number"), SORTABLE),
        (sortable("String", "Date"), SORTABLE),
        (sortable("Number", "String"), SORTABLE),
        (field({"type": "string", "multi": {"m": MULTI}}), None),
        (
            field({"type": "string", "multi": {"a.b": {"type": "token"}}}),
            '"mappings.fields.a.multi.a.b" multi definition must be string field',
        ),
        (
            field({"type": "string", "multi": {"a.b": {"type": "string"}}}),
            '"mappings.fields.a.multi.a.b" multi path cannot contain "."',
        ),
    ],
)
def test_definitions(definition: dict[str, Any], wanted: str | None) -> None:
    assert next(iter(search_index_problems(definition)), None) == wanted


def test_a_mapping_has_no_empty_key() -> None:
    mapping = {"type": "mapping", "mappings": {"a": "b", "": "c"}}
    analyzer = {"name": "own", "tokenizer": {"type": "standard"}, "charFilters": [mapping]}
    wanted = '"analyzers[0].charFilters[0].mappings" cannot contain the empty string as a key'
    assert search_index_problems({"mappings": {}, "analyzers": [analyzer]})[0] == wanted
