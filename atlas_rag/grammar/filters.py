"""The filter language of `$vectorSearch`: a strict part of MQL, in the search engine's words.

Unknown `$` keys at the top are field names, a document value without operators is a value of the wrong type,
and `$and`, `$or`, `$nor` do not appear in places: their items are `filter[0]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Boolean, Document, Later, field, is_array, is_document, nullable
from atlas_rag.grammar.literals import COMPARABLE, EQUATABLE, IN_LIST, kind_of
from atlas_rag.grammar.problem import At, Found, problem

LOGICAL: Final = frozenset({"$and", "$or", "$nor"})

FIELD_OPERATORS: Final = (
    "$gt", "$gte", "$lt", "$lte", "$eq", "$ne", "$in", "$nin", "$exists", "$not",
)  # fmt: skip
"""In the order in which the refusal lists them."""

_NULL_IS_ABSENT: Final = frozenset({"$exists", "$not"})


class _Ordered:
    """A bound: anything that has an order, null named as a type like others."""

    def check(self, value: Any, at: At, found: Found) -> None:
        before = len(found)
        COMPARABLE.check(value, at, found)
        if len(found) == before and kind_of(value) == "GEO":
            found.append(problem(at, "Type is not supported: GEO", "type"))


class _InList:
    """A list of values; null is a missing list."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if value is None:
            found.append(problem(at, "is required", "required"))
        else:
            IN_LIST.check(value, at, found)


class _Operators(Document):
    """`{$gte: 1, $lt: 5}`: operators that hold together; at least one."""

    def check(self, value: Any, at: At, found: Found) -> None:
        super().check(value, at, found)
        if is_document(value) and not any(_is_given(value, name) for name in FIELD_OPERATORS):
            text = f"at least one of [{', '.join(FIELD_OPERATORS)}] must be present"
            unknown = problem(at, text, "one-of", given=tuple(value), known=FIELD_OPERATORS)
            found.insert(len(found) - (1 if value else 0), unknown)


def _is_given(document: Mapping[str, Any], name: str) -> bool:
    return name in document and (document[name] is not None or name not in _NULL_IS_ABSENT)


_NEGATED: Final = Later()
_OPERATORS: Final = _Operators(
    *(nullable(name, _Ordered(), required=False) for name in ("$gt", "$gte", "$lt", "$lte")),
    *(nullable(name, EQUATABLE, required=False) for name in ("$eq", "$ne")),
    *(nullable(name, _InList(), required=False) for name in ("$in", "$nin")),
    field("$exists", Boolean()),
    field("$not", _NEGATED),
)
_NEGATED.define(_OPERATORS)


class Filter:
    """A filter document."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "filter must be a document", "type"))
            return
        for name, condition in value.items():
            if name in LOGICAL:
                self._check_all(condition, at, found)
            elif is_document(condition) and any(key.startswith("$") for key in condition):
                _OPERATORS.check(condition, (at, name), found)
            else:
                EQUATABLE.check(condition, at, found)

    def _check_all(self, filters: Any, at: At, found: Found) -> None:
        if filters is None:
            found.append(problem(at, "is required", "required"))
        elif not is_array(filters):
            found.append(problem(at, "must be a array", "type"))
        elif not filters:
            found.append(problem(at, "cannot be empty", "empty-list"))
        else:
            for index, one in enumerate(filters):
                self.check(one, (at, index), found)


FILTER: Final = Filter()
