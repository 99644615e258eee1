"""`sort`: of results, and of an index.

Orders are truncated to 32 bit integers before they are compared with 1 and −1. Problems are reported at the
sort specification, not at the field.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Document, Enum, Rule, field, is_document, is_number
from atlas_rag.grammar.kit.numbers import INT32_MAX, INT32_MIN
from atlas_rag.grammar.problem import At, Found, problem


class _Order:
    """1 or −1, in any width."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_number(value):
            found.append(problem(at, "must be a number", "type"))
        elif _to_int32(value) not in (1, -1):
            found.append(problem(at, "sort order must be 1 or -1", "sort"))


def _to_int32(value: float) -> int:
    """Java's narrowing: doubles saturate, integers wrap, NaN is 0."""
    if isinstance(value, float):
        if math.isnan(value):
            return 0
        return int(min(max(value, INT32_MIN), INT32_MAX))
    wrapped = int(value) & 0xFFFFFFFF
    return wrapped - (1 << 32) if wrapped > INT32_MAX else wrapped


def _order_or_meta(spec: Mapping[str, Any], at: At, found: Found) -> None:
    if spec.get("$meta") is None and spec.get("order") is None:
        found.append(problem(at, '"order" is required', "required"))
    elif spec.get("$meta") is not None and spec.get("noData") is not None:
        found.append(problem(at, "at most one of [$meta, noData] may be present", "one-of"))


_ORDER: Final = _Order()
_FIELD: Final = Document(
    field("$meta", Enum("searchScore")),
    field("order", _ORDER),
    field("noData", Enum("highest", "lowest")),
    Rule(_order_or_meta, "$meta", "order", "noData"),
)


class Sort:
    """Fields with their orders; at least one.

    Args:
        meta: whether sorting by `{$meta: "searchScore"}` is known.
    """

    def __init__(self, *, meta: bool = True) -> None:
        self._meta = meta

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
        elif not value:
            found.append(problem(at, "Sort spec must have at least one sort field defined", "empty-document"))
        else:
            for spec in value.values():
                self._check_field(spec, at, found)

    def _check_field(self, spec: Any, at: At, found: Found) -> None:
        if spec is None:
            found.append(problem(at, "is required", "required"))
        elif is_number(spec):
            _ORDER.check(spec, at, found)
        elif is_document(spec):
            before = len(found)
            _FIELD.check(spec, at, found)
            if not self._meta and len(found) == before and spec.get("$meta") is not None:
                found.append(problem(at, "Sort on meta fields is not supported in sortBetaV1", "sort"))
        else:
            found.append(problem(at, "must be a Expected number or document", "type"))
