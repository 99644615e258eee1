"""Numbers and dates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bson.datetime_ms import DatetimeMS
from bson.int64 import Int64

from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition

MAX_LONG = 2**63 - 1
MIN_LONG = -(2**63)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def millis_of(value: datetime | DatetimeMS) -> int:
    """Milliseconds since 1970 UTC; a naive time is taken as UTC."""
    if isinstance(value, DatetimeMS):
        return int(value)
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    delta = aware - _EPOCH
    return (delta.days * 86400 + delta.seconds) * 1000 + delta.microseconds // 1000


def truncated(value: float) -> int:
    """Casts a double to a 64-bit integer as Java does: toward 0, saturating, NaN to 0."""
    if math.isnan(value):
        return 0
    return (
        int(max(min(value, MAX_LONG), MIN_LONG))
        if math.isfinite(value)
        else (MAX_LONG if value > 0 else MIN_LONG)
    )


@dataclass(frozen=True, slots=True)
class NumberField:
    """The `number` type.

    Args:
        whole: representation int64: values are kept as integers, doubles truncated.
        integers: index int32 and int64 values.
        doubles: index doubles.
    """

    name: str
    scope: Scope
    path: str
    whole: bool = False
    integers: bool = True
    doubles: bool = True
    accepts: tuple[type, ...] = (int, Int64, float)

    def index(self, partition: Partition, doc: int, value: float, *, single: bool) -> None:
        if self._keeps(value):
            kept = truncated(value) if isinstance(value, float) and self.whole else value
            partition.number_column(self.name, whole=self.whole).add(doc, kept, single=single)

    def index_all(self, partition: Partition, doc: int, values: Sequence[float]) -> None:
        """Adds the elements of an array of numbers that are all of one type."""
        if self._keeps(values[0]):
            kept = list(map(truncated, values)) if isinstance(values[0], float) and self.whole else values
            partition.number_column(self.name, whole=self.whole).add_all(doc, kept)

    def _keeps(self, value: float) -> bool:
        return self.doubles if isinstance(value, float) else self.integers


def number_field(spec: Mapping[str, Any], scope: Scope, path: str) -> NumberField:
    """Reads a `number` mapping."""
    return NumberField(
        name=scope.field("number", path),
        scope=scope,
        path=path,
        whole=spec.get("representation") == "int64",
        integers=spec.get("indexIntegers") is not False,
        doubles=spec.get("indexDoubles") is not False,
    )


@dataclass(frozen=True, slots=True)
class DateField:
    """The `date` type: milliseconds since 1970."""

    name: str
    scope: Scope
    path: str
    accepts: tuple[type, ...] = (datetime, DatetimeMS)

    def index(self, partition: Partition, doc: int, value: datetime | DatetimeMS, *, single: bool) -> None:
        partition.number_column(self.name, whole=True).add(doc, millis_of(value), single=single)


def date_field(scope: Scope, path: str) -> DateField:
    """Makes a `date` field."""
    return DateField(scope.field("date", path), scope, path)
