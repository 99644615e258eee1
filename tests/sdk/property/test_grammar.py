"""The grammar survives whatever stands anywhere in a document."""

from __future__ import annotations

import copy
import datetime
import gzip
import json
import math
import uuid
from typing import Any

from bson import Binary, Decimal128, Int64, MaxKey, ObjectId, Regex, Timestamp
from bson.datetime_ms import DatetimeMS
from hypothesis import given, settings
from hypothesis import strategies as st

from atlas_rag.check.extended_json import decode
from atlas_rag.grammar import create_problems, problems
from tests.support.places import ORACLE

DATA = ORACLE / "parse"
FAMILIES = ("compound", "facet", "geoShape", "indexMappings", "range", "span", "tokenFilters", "vectorSearch")


def valid_cases() -> list[tuple[str, Any]]:
    found = []
    for family in FAMILIES:
        with gzip.open(DATA / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
            cases = [json.loads(line) for line in lines]
        found += [(case["what"], decode(case["input"])) for case in cases if case["valid"]][:20]
    return found


VALID = valid_cases()

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(
        [
            Int64(1),
            Decimal128("1"),
            ObjectId(b"\0" * 12),
            Binary(b"ab", 4),
            Binary(b"", 9),
            Binary(b"\x27\0\0\0\0\0", 9),
            uuid.UUID(int=1),
            datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
            datetime.datetime(2024, 1, 1),  # what PyMongo decodes by default
            DatetimeMS(2**60),
            Timestamp(1, 1),
            MaxKey(),
            Regex("a"),
            object(),
        ]
    ),
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "path", "value", "$gt", "x", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [one for key, item in pairs for one in ((*place, key), *places(item, (*place, key)))]


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(VALID), st.data())
def test_any_value_anywhere_is_judged(case, data):
    what, document = case[0], copy.deepcopy(case[1])
    *parents, last = data.draw(st.sampled_from(places(document)))
    holder = document
    for key in parents:
        holder = holder[key]
    holder[last] = data.draw(values)
    found = problems(what, document)
    assert all(one.message and one.rule for one in found)
    if not found and what.endswith("Index"):
        create_problems(document, vector=what == "vectorIndex")


@settings(deadline=None, max_examples=60)
@given(values)
def test_any_value_is_judged_as_a_whole(value):
    for what in ("search", "searchMeta", "vectorSearch", "searchIndex", "vectorIndex"):
        assert problems(what, value) or isinstance(value, dict)


@given(st.floats(), st.floats(), st.sampled_from([float, int]))
def test_bounds_of_a_range_are_accepted_or_refused_both_ways(low, high, kind):
    upper = high if kind is float or not math.isfinite(high) else int(max(min(high, 2**62), -(2**62)))
    body = {"range": {"path": "a", "gte": low, "lte": upper}}
    refused = [one.message for one in problems("search", body)]
    assert refused in ([], ['"range" gt/gte must not be greater than lt/lte'])
    if math.isfinite(low) and math.isfinite(high) and kind is float and low < high:
        assert refused == []
