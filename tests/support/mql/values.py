"""Strategies of BSON values and documents: few names and few values, so that they meet often."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bson import Binary, Decimal128, Int64, ObjectId, Regex, Timestamp
from hypothesis import strategies as st

NUMBERS: list[Any] = [
    *(0, 1, 2, 3, 5, -1, -7, 100, 2**31 - 1, -(2**31)),
    *(0.0, 0.5, 1.0, 2.5, -1.5, 1e10, 1e300, float("nan"), float("inf"), float("-inf")),
    *(Int64(0), Int64(1), Int64(4), Int64(2**40), Int64(2**63 - 1), Int64(-(2**63))),
    *(Decimal128("1"), Decimal128("2.50"), Decimal128("-3.1"), Decimal128("NaN"), Decimal128("1E+3")),
]
STRINGS = ["", "a", "b", "ab", "B", "abc", "a b", "é", "日本", "12", "-1.5", " x ", "2024-01-02", "true"]
DATES = [
    datetime(2024, 2, 29, 13, 5, 7, 89000),
    datetime(2023, 12, 31, 23, 59, 59, 999000),
    datetime(1970, 1, 1),
    datetime(1969, 7, 20, 20, 17),
    datetime(2024, 3, 10, 7, 30),
]
OBJECT_IDS = [ObjectId("5f0000000000000000000001"), ObjectId("65a1b2c3d4e5f60718293a4b")]
OTHERS: list[Any] = [
    *OBJECT_IDS,
    Timestamp(5, 1),
    Binary(b"ab", 0),
    Regex("a"),
]

numbers = st.sampled_from(NUMBERS)
strings = st.sampled_from(STRINGS)
dates = st.sampled_from(DATES)
booleans = st.booleans()
nothing = st.none()
scalars = st.one_of(numbers, strings, dates, booleans, nothing, st.sampled_from(OTHERS))
names = st.sampled_from(["a", "b", "c", "0"])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(names, inner, max_size=3)),
    max_leaves=6,
)
arrays = st.one_of(st.lists(numbers, max_size=4), st.lists(values, max_size=3), st.lists(strings, max_size=3))
objects = st.dictionaries(names, values, max_size=3)

# Fields by the kind of value they mostly hold; `a`, `b`, `c` hold anything.
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "n": numbers,
    "m": st.one_of(numbers, nothing),
    "s": strings,
    "t": st.one_of(strings, nothing),
    "d": dates,
    "l": arrays,
    "o": objects,
    "f": booleans,
    "a": values,
    "b": values,
}


@st.composite
def documents(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to four documents with `_id`s 0, 1, ...; each lacks some of the fields."""
    result = []
    for position in range(draw(st.integers(1, 4))):
        present = draw(st.sets(st.sampled_from(sorted(FIELDS)), min_size=1))
        result.append({"_id": position, **{name: draw(FIELDS[name]) for name in sorted(present)}})
    return result
