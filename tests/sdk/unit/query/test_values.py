"""Filter values: what stands for a literal becomes it, everything else is refused, at once."""

from __future__ import annotations

import datetime as dt
import enum
import subprocess
import sys
from decimal import Decimal
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from bson import (
    Binary,
    Code,
    DatetimeMS,
    DBRef,
    Decimal128,
    Int64,
    MaxKey,
    MinKey,
    ObjectId,
    Regex,
    Timestamp,
)
from bson.binary import UuidRepresentation
from bson.raw_bson import RawBSONDocument

from atlas_rag import CallError, Filter, field
from atlas_rag import Code as ErrorCode
from atlas_rag.query.values import literal
from atlas_rag.retriever.record import fingerprint


class Colour(enum.StrEnum):
    RED = "red"


class Mixed(str, enum.Enum):  # noqa: UP042 - the older spelling has another str()
    RED = "red"


class Size(enum.IntEnum):
    LARGE = 3


class Flag(enum.IntFlag):
    ON = 4


class Plain(enum.Enum):
    RED = "red"


class Whole(int):
    """An int of somebody's own."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("a value is never compared while it is read")

    __hash__ = int.__hash__


class Real(float):
    """A float of somebody's own."""


class Moment(dt.datetime):
    """A datetime of somebody's own."""


class Identifier(ObjectId):
    """An ObjectId of somebody's own."""


class Unique(UUID):
    """A UUID of somebody's own."""


OBJECT_ID, UNIQUE = ObjectId("0" * 24), UUID(int=7)
NOON = dt.datetime(2026, 1, 2, 12)
EAST = dt.timezone(dt.timedelta(hours=2))


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (Int64(5), 5),
        (Int64(2**62 + 1), 2**62 + 1),
        (Whole(2**62 + 1), 2**62 + 1),
        (Size.LARGE, 3),
        (Flag.ON, 4),
        (True, True),
        (Real(2.5), 2.5),
        (2.0, 2),
        (2.0**62, 2**62),
        (1e300, 1e300),
        (-0.0, 0),
        (Colour.RED, "red"),
        (Mixed.RED, "red"),
        (Moment(2026, 1, 2, 12), NOON),
        (dt.datetime(2026, 1, 2, 14, tzinfo=EAST), NOON),
        (dt.datetime(2026, 1, 2, 12, 0, 0, 999), NOON),
        (DatetimeMS(1767355200000), NOON),
        (Identifier("0" * 24), OBJECT_ID),
        (Unique(int=7), UNIQUE),
        (Binary.from_uuid(UNIQUE), UNIQUE),
        (np.int64(5), 5),
        (np.int8(5), 5),
        (np.uint64(5), 5),
        (np.float64(2.5), 2.5),
        (np.float32(0.5), 0.5),
        (np.bool_(True), True),
        (np.str_("red"), "red"),
        (np.datetime64("2026-01-02T12:00:00", "ns"), NOON),
        (np.datetime64("2026-01-02T12", "h"), NOON),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_stands_for_a_literal_is_that_literal(value: Any, plain: Any) -> None:
    found = literal(value, "p")
    assert (type(found), found) == (type(plain), plain)
    built = Filter.where("p", value)
    assert built == Filter.where("p", plain) == Filter.from_dict({"p": value})
    assert hash(built) == hash(Filter.where("p", plain))
    assert Filter.from_dict(built.to_dict()) == built
    assert fingerprint(built) == fingerprint(Filter.where("p", plain))


@pytest.mark.parametrize(
    "value",
    [
        2**63,
        -(2**63) - 1,
        Whole(2**80),
        np.uint64(2**63),
        float("inf"),
        Real("nan"),
        np.float32("nan"),
        np.longdouble(1.5),
        np.complex128(1),
        np.timedelta64(1, "s"),
        np.datetime64("NaT"),
        np.datetime64("99999-01-01"),
        np.array(5),
        np.array([5]),
        DatetimeMS(2**60),
        DatetimeMS(-(2**60)),
        dt.datetime.max.replace(tzinfo=dt.timezone(dt.timedelta(hours=-12))),
        dt.date(2026, 1, 1),
        dt.time(1),
        Decimal(1),
        Decimal128("1"),
        Binary(b"abc"),
        Binary(bytes(3), 4),
        Binary.from_uuid(UNIQUE, UuidRepresentation.PYTHON_LEGACY),
        b"abc",
        bytearray(b"abc"),
        Code("1"),
        Regex("a"),
        Timestamp(1, 1),
        MinKey(),
        MaxKey(),
        DBRef("c", 1),
        RawBSONDocument(b"\x05\x00\x00\x00\x00"),
        Plain.RED,
        (1, 2),
        {1},
        object(),
        1j,
        "\ud800",
        "a\udfff",
        np.str_("\ud800"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_stands_for_none_is_refused_wherever_a_value_stands(value: Any) -> None:
    for build in (
        lambda: Filter.where("p", value),
        lambda: Filter.where_in("p", [value]),
        lambda: Filter.from_dict({"p": {"$nin": [value]}}),
        lambda: field("p") > value,
        lambda: Filter.where_between("p", value, value),
    ):
        with pytest.raises(CallError, match="'p'") as caught:
            build()
        assert caught.value.code is ErrorCode.INVALID_FILTER


def test_a_value_of_any_type_is_read_at_once() -> None:
    """In another process: where it walked the numbers, it held the interpreter for ever."""
    source = (
        "from bson import Int64; from atlas_rag import Filter; from enum import IntEnum;"
        "Size = IntEnum('Size', {'A': 2**40}); values = [Int64(2**62), Size.A];"
        "[Filter.where('k', one) for one in values]; Filter.where_in('k', values);"
        "Filter.from_dict({'k': {'$gte': values[0]}})"
    )
    subprocess.run([sys.executable, "-c", source], check=True, timeout=60)


@pytest.mark.parametrize("path", ["a\ud800", "a.\udfff"])
def test_paths_and_patterns_are_text_too(path: str) -> None:
    for build in (lambda: Filter.where(path, 1), lambda: Filter.where_like("p", path), lambda: field(path)):
        with pytest.raises(CallError, match="surrogate") as caught:
            build()
        assert caught.value.code is ErrorCode.INVALID_FILTER


def test_names_of_an_enum_are_plain_paths() -> None:
    class Path(enum.StrEnum):
        TENANT = "tenant"

    assert Filter.where(Path.TENANT, 1) == Filter.where("tenant", 1)
    assert {type(path) for path in Filter.where(Path.TENANT, 1).paths()} == {str}


@pytest.mark.parametrize("values", [5, None, "abc", b"abc", {"a": 1}], ids=lambda value: type(value).__name__)
def test_the_values_of_in_are_many(values: Any) -> None:
    with pytest.raises(CallError, match="list or tuple"):
        Filter.where_in("p", values)


def test_a_filter_with_a_uuid_has_a_fingerprint() -> None:
    native, wire = Filter.where("p", UNIQUE), Filter.where("p", Binary.from_uuid(UNIQUE))
    assert fingerprint(native) == fingerprint(wire)
    assert fingerprint(native) != fingerprint(Filter.where("p", UUID(int=8)))


def test_equal_filters_have_equal_fingerprints() -> None:
    assert fingerprint(Filter.where("p", 1)) == fingerprint(Filter.where("p", 1.0))
    east = dt.datetime(2026, 1, 2, 14, tzinfo=EAST)
    assert fingerprint(Filter.where("p", east)) == fingerprint(Filter.where("p", NOON))
