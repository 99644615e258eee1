"""Strategies of filters: mostly well formed, now and then not."""

from __future__ import annotations

from typing import Any

from bson import Regex
from hypothesis import strategies as st

from tests.support.mql.values import scalars, values

PATHS = [
    "a",
    "b",
    "n",
    "s",
    "l",
    "o",
    "a.b",
    "a.0",
    "a.b.c",
    "l.0",
    "l.a",
    "o.a",
    "o.a.b",
    "a.0.b",
    "a.0.0",
    "z",
    "z.y",
]
paths = st.sampled_from(PATHS)
operands = st.one_of(scalars, scalars, values)
TYPE_NAMES = [
    "number",
    "int",
    "long",
    "double",
    "decimal",
    "string",
    "array",
    "object",
    "null",
    "bool",
    "date",
    2,
    -1,
]
PATTERNS = ["a", "^a", "b$", "A", "[a-c]+", "", "^$", r"\d+", "."]

ordered = st.builds(
    lambda name, value: {name: value},
    st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
    operands,
)
members = st.builds(
    lambda name, items: {name: items}, st.sampled_from(["$in", "$nin"]), st.lists(operands, max_size=3)
)
existence = st.builds(lambda flag: {"$exists": flag}, st.sampled_from([True, False, 1, 0, None]))
types = st.builds(
    lambda names: {"$type": names},
    st.one_of(st.sampled_from(TYPE_NAMES), st.lists(st.sampled_from(TYPE_NAMES), min_size=1, max_size=2)),
)
sizes = st.builds(lambda size: {"$size": size}, st.sampled_from([0, 1, 2, 3, 2.0, -1, 1.5]))
remainders = st.builds(
    lambda pair: {"$mod": pair}, st.sampled_from([[2, 1], [2, 0], [3, -1], [-2, 1], [2.7, 1], [4, 0.5]])
)
regexes = st.one_of(
    st.builds(lambda pattern: {"$regex": pattern}, st.sampled_from(PATTERNS)),
    st.builds(
        lambda pattern, flags: {"$regex": pattern, "$options": flags},
        st.sampled_from(PATTERNS),
        st.sampled_from(["", "i", "m", "s", "x", "im"]),
    ),
)
bits = st.builds(
    lambda name, mask: {name: mask},
    st.sampled_from(["$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"]),
    st.sampled_from([0, 1, 5, 2**33, [0], [0, 2], [63], [], [70]]),
)
plain_operators = st.one_of(
    ordered, ordered, members, existence, types, sizes, remainders, regexes, bits,
    st.builds(lambda items: {"$all": items}, st.lists(operands, max_size=2)),
)  # fmt: skip


def _element(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    by_field = st.dictionaries(
        st.sampled_from(["a", "b", "0", "a.b"]), st.one_of(inner, operands), max_size=2
    )
    return st.builds(lambda match: {"$elemMatch": match}, st.one_of(inner, by_field))


def _all_elements(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(lambda items: {"$all": items}, st.lists(_element(inner), min_size=1, max_size=2))


operators = st.recursive(
    plain_operators,
    lambda inner: st.one_of(
        st.builds(lambda negated: {"$not": negated}, inner),
        _element(inner),
        _all_elements(inner),
        st.builds(lambda left, right: {**left, **right}, inner, inner),
    ),
    max_leaves=3,
)
clauses = st.one_of(
    st.builds(lambda path, value: {path: value}, paths, operands),
    st.builds(lambda path, operator: {path: operator}, paths, operators),
    st.builds(lambda path, operator: {path: operator}, paths, operators),
    st.builds(lambda path, pattern: {path: Regex(pattern)}, paths, st.sampled_from(PATTERNS)),
)
filters = st.recursive(
    st.one_of(clauses, st.builds(lambda left, right: {**left, **right}, clauses, clauses)),
    lambda inner: st.builds(
        lambda name, items: {name: items},
        st.sampled_from(["$and", "$or", "$nor"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=4,
)
