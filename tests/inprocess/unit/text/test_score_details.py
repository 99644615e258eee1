"""What `scoreDetails` says of filters, ranges of values, fields without lengths, and large numbers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from bson import ObjectId

from tests.support.text_index import details, indexed, scores

OID = ObjectId("0123456789abcdef01234567")
FIELDS: dict[str, Any] = {
    "t": {"type": "string"},
    "bare": {"type": "string", "norms": "omit"},
    "stable": {"type": "string", "norms": "omit", "similarity": {"type": "stableTfl"}},
    "flat": {"type": "string", "norms": "omit", "similarity": {"type": "boolean"}},
    "cat": {"type": "token"},
    "oid": {"type": "objectId"},
    "n": {"type": "number"},
    "day": {"type": "date"},
}
TEXT = "apple one two three four five six"
DAY = datetime(2020, 1, 1)
DOCUMENT = {"t": TEXT, "bare": TEXT, "cat": "b", "oid": OID, "n": 3, "day": DAY}


def filtered(clause: dict[str, Any]) -> str:
    compound = {"filter": [clause], "should": [{"exists": {"path": "n"}}]}
    required = details(indexed(FIELDS, [DOCUMENT]), compound=compound)["details"][0]
    assert required["description"] == "match on required clause, product of:"
    described: str = required["details"][1]["description"]
    return described


@pytest.mark.parametrize(
    ("clause", "described"),
    [
        ({"exists": {"path": "t"}}, "$meta/fieldNames:t"),
        ({"equals": {"path": "n", "value": 3, "score": {"constant": {"value": 5}}}}, "IndexOrDocValues"),
        ({"range": {"path": "day", "gte": DAY}}, "IndexOrDocValuesQuery("),
        ({"text": {"path": "t", "query": "one", "score": {"boost": {"value": 3}}}}, "$type:string/t:one"),
        (
            {"text": {"path": "t", "query": "one", "score": {"function": {"path": "n"}}}},
            "$type:string/t:one",
        ),
    ],
    ids=["exists", "constant", "range", "boost", "function"],
)
def test_filters_are_explained_without_what_only_changes_scores(
    clause: dict[str, Any], described: str
) -> None:
    assert filtered(clause).startswith(described)


@pytest.mark.parametrize(
    ("body", "described"),
    [
        ({"path": "cat", "gte": "a", "lt": "c"}, "$type:token/cat:[[61] TO [63]}"),
        ({"path": "cat", "gt": "a"}, "$type:token/cat:{[61] TO *}"),
        ({"path": "oid", "gte": OID}, "$type:objectId/oid:[[1 23 45 67 89 ab cd ef 1 23 45 67] TO *}"),
    ],
    ids=["both", "open", "objectId"],
)
def test_ranges_of_values_print_bytes(body: dict[str, Any], described: str) -> None:
    assert details(indexed(FIELDS, [DOCUMENT]), range=body)["description"] == described


def test_numbers_are_float32() -> None:
    found = details(indexed(FIELDS, [DOCUMENT]), near={"path": "day", "origin": DAY, "pivot": 9})
    assert [part["value"] for part in found["details"]][2:] == [1577836740608.0, 1577836740608.0]


def test_a_field_without_lengths_counts_one_in_every_similarity() -> None:
    documents = [{"bare": text, "stable": text, "flat": text} for text in ("apple", TEXT)]
    index = indexed(FIELDS, documents)
    assert scores(index, text={"path": "stable", "query": "apple"}) == [(0, 1.402071), (1, 1.402071)]
    assert scores(index, text={"path": "flat", "query": "apple"}) == [(0, 1.0), (1, 1.0)]
    assert len({score for _, score in scores(index, text={"path": "bare", "query": "apple"})}) == 1


def test_a_field_without_lengths_is_explained_with_length_one() -> None:
    found = details(indexed(FIELDS, [DOCUMENT]), text={"path": "bare", "query": "apple"})
    frequency = found["details"][0]["details"][1]
    assert frequency["description"].startswith(
        "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl))"
    )
    assert [part["value"] for part in frequency["details"]][3:] == [1.0, 7.0]
