"""The order that breaks ties between equal scores: ascending `_id`, across types as BSON compares them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from atlas_rag.errors import CallError, Code

IdKey = Callable[[Any], Any]


def id_order(value: Any) -> tuple[int, Any]:
    """A sort key, also fit as a dictionary key, for the `_id` types in common use.

    Null < numbers < strings < documents < binary < ObjectId < booleans < dates. True and 1 stay apart, 1
    and 1.0 are one `_id`, as on a server.

    Raises:
        CallError: INVALID_OPTION for other types; pass an `id_key` of your own for those.
    """
    ordered = _OF_TYPE.get(type(value))
    if ordered is None:
        ordered = _OF_TYPE[type(value)] = _order_of(value)
    rank, key = ordered
    return rank, key(value)


def _order_of(value: Any) -> tuple[int, Callable[[Any], Any]]:
    """The rank of a value's type and the key within it; remembered by type."""
    for rank, (kinds, key) in _KINDS.items():
        if isinstance(value, kinds):
            return rank, key
    if type(value).__name__ == "ObjectId":  # by name: fusion needs no driver
        return 7, operator.attrgetter("binary")
    raise CallError(
        f"fusion cannot order an _id of type {type(value).__name__}",
        expected="null, a number, str, bytes, UUID, ObjectId, bool, datetime or a dict of these",
        next_step="pass id_key, a function from _id to a hashable sort key",
        code=Code.INVALID_OPTION,
    )


def _number(value: float) -> tuple[int, float]:
    return (0, 0.0) if math.isnan(value) else (1, value)


def _binary(value: Any) -> tuple[int, int, bytes]:
    data = value.bytes if isinstance(value, UUID) else bytes(value)
    subtype = 4 if isinstance(value, UUID) else int(getattr(value, "subtype", 0))
    return len(data), subtype, data


def _document(value: dict[str, Any]) -> tuple[Any, ...]:
    # the server compares field by field: type, then name, then value
    return tuple((key[0], name, key[1]) for name, key in ((n, id_order(v)) for n, v in value.items()))


_KINDS: dict[int, tuple[Any, Callable[[Any], Any]]] = {
    8: (bool, bool),  # before numbers: a bool is an int to Python
    1: (type(None), lambda _: 0),
    2: ((int, float), _number),
    3: (str, lambda text: text.encode("utf-8", "surrogatepass")),
    4: (dict, _document),
    6: ((bytes, bytearray, UUID), _binary),
    9: (datetime, lambda moment: moment.timestamp()),
}
_OF_TYPE: dict[type, tuple[int, Callable[[Any], Any]]] = {}
