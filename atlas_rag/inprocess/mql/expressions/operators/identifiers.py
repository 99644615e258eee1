"""Identifiers and hashes: `$createObjectId`, `$toUUID`, `$subtype`, `$toHashedIndexKey`."""

from __future__ import annotations

import hashlib
import struct
import uuid
from collections.abc import Mapping
from decimal import ROUND_HALF_EVEN
from typing import TYPE_CHECKING, Any

import bson
from bson import Binary, Decimal128, Int64, ObjectId

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.define import compile_unfolded, operator, special
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, sort_key, type_name
from atlas_rag.inprocess.mql.values.order import NUMBER_RANK
from atlas_rag.inprocess.mql.values.types import INT64_MAX, INT64_MIN

if TYPE_CHECKING:
    from hashlib import _Hash


@special("$createObjectId", release=(8, 3))
def create_object_id(argument: Any, scope: Scope) -> Evaluate:
    """A new `ObjectId` for every row."""
    if argument != {}:
        raise CommandError(2, "$createObjectId does not accept arguments")
    return lambda row, variables: ObjectId()


@operator("$toUUID", release=(8, 0))
def to_uuid(value: Any) -> Any:
    """A UUID written as text, as BinData of subtype 4."""
    if nullish(value):
        return None
    if isinstance(value, Binary) and value.subtype == bson.binary.UUID_SUBTYPE:
        return value
    if not isinstance(value, str):
        text = f"Unsupported conversion from {type_name(value)} to binData in $convert with no onError value"
        raise CommandError(241, text)
    try:
        found = uuid.UUID(value)
    except ValueError:
        found = None
    if found is None or str(found) != value.lower():
        raise CommandError(241, f"Input string is not a valid UUID: {value}")
    return Binary.from_uuid(found)


@operator("$subtype", release=(8, 3))
def subtype(value: Any) -> Any:
    """The subtype of BinData as an int."""
    if nullish(value):
        return None
    if type_name(value) != "binData":
        raise CommandError(14, f"$subtype requires BinData, not {type_name(value)}")
    return value.subtype if isinstance(value, Binary) else 0


@special("$toHashedIndexKey")
def to_hashed_index_key(argument: Any, scope: Scope) -> Evaluate:
    """The long that a hashed index keeps for a value; an array is the value itself, no list of operands."""
    operand = compile_unfolded(argument, scope)
    return lambda row, variables: _hashed(operand(row, variables))


def _hashed(value: Any) -> Int64:
    """Returns the hash of any value, of a missing one as of null.

    Formula: the first 8 bytes of the MD5 of a seed of 0, then the value's rank among types and its bytes;
    numbers as 64-bit integers: doubles cut, decimals rounded half to even. Source: measured on a server of
    release 6.0.5.
    """
    digest = hashlib.md5(struct.pack("<i", 0), usedforsecurity=False)
    _feed(digest, None if value is MISSING else value)
    return Int64(struct.unpack("<q", digest.digest()[:8])[0])


def _feed(digest: _Hash, value: Any, name: str | None = None) -> None:
    rank = sort_key(value)[0]
    digest.update(struct.pack("<i", rank))
    if name is not None:
        digest.update(name.encode() + b"\0")
    if isinstance(value, (Mapping, list)):
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, item in pairs:
            _feed(digest, item, str(key))
        digest.update(struct.pack("<i", 0))
    elif rank == NUMBER_RANK:
        digest.update(struct.pack("<q", _as_long(value)))
    else:
        # A document of one field without name: length, type, end of the name, the value's bytes, end.
        digest.update(bson.encode({"": value})[6:-1])


def _as_long(value: Any) -> int:
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    if number != number:
        return 0
    if isinstance(value, Decimal128) and number.is_finite():
        number = number.to_integral_value(ROUND_HALF_EVEN)
    return int(max(INT64_MIN, min(INT64_MAX, number)))
